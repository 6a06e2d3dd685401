// Drives the client of the official TypeScript SDK: `drive_typescript.mjs MODE SERVER…`; MODE is `auto`, `legacy` or a
// revision. Commands come as JSON lines on stdin, an answer for each goes to stdout, spelled as in driving.py.
import { createInterface } from "node:readline";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

const LOG_LEVEL = "io.modelcontextprotocol/logLevel";
const PATIENCE = 30_000;
const [mode, command, ...args] = process.argv.slice(2);

let faults = [];
let left; // the call that the client is closed over
let log = [];
const client = new Client(
  { name: "typescript-driver", version: "1.0.0" },
  // Without this option the client speaks 2025-11-25 and never asks for anything newer.
  {
    versionNegotiation: { mode: ["auto", "legacy"].includes(mode) ? mode : { pin: mode } },
    capabilities: { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} },
  },
);
client.onerror = (error) => faults.push(String(error));
client.setNotificationHandler("notifications/message", (message) => void log.push(message.params));

const ENTERED = { string: "Ada", integer: 3, number: 2.5, boolean: true };
const enter = ({ requestedSchema: schema }) =>
  schema && Object.fromEntries(Object.entries(schema.properties).map(([key, is]) => [key, is.default ?? ENTERED[is.type]]));
client.setRequestHandler("elicitation/create", ({ params }) => ({ action: "accept", content: enter(params) }));
client.setRequestHandler("sampling/createMessage", () => ({
  role: "assistant",
  model: "none",
  content: { type: "text", text: "A model says so." },
  stopReason: "endTurn",
}));
client.setRequestHandler("roots/list", () => ({ roots: [{ uri: "file:///home/ada", name: "home" }] }));

let notice; // who waits for the next change
for (const method of ["notifications/resources/updated", "notifications/tools/list_changed"]) {
  client.setNotificationHandler(method, ({ params }) => notice?.({ method, params }));
}

const lists = {
  tools: (params) => client.listTools(params),
  resources: (params) => client.listResources(params),
  resourceTemplates: (params) => client.listResourceTemplates(params),
  prompts: (params) => client.listPrompts(params),
};

const call = ({ name, arguments: given, ...how }, options) =>
  client.callTool({ name, arguments: given, ...how }, { timeout: PATIENCE, ...options });

const commands = {
  info: () => ({
    version: client.getNegotiatedProtocolVersion(),
    server: client.getServerVersion(),
    capabilities: client.getServerCapabilities(),
    instructions: client.getInstructions(),
  }),
  // Without a cursor the client walks all pages by itself and tells nothing of them.
  list_all: async ({ what }) => ({ items: (await lists[what]())[what], pages: null }),
  page_of_tools: ({ cursor }) => lists.tools({ cursor }),
  call,
  call_with_progress: async (asked) => {
    const progress = [];
    const onprogress = (step) => progress.push([step.progress, step.total ?? null, step.message ?? null]);
    return { result: await call(asked, { onprogress }), progress };
  },
  call_with_log: async ({ level, ...asked }) => {
    log = [];
    await call({ ...asked, _meta: { [LOG_LEVEL]: level } });
    return log;
  },
  call_many: ({ name, each }) => Promise.all(each.map((one) => attempt(() => call({ name, arguments: one })))),
  cancel: async ({ name }) => {
    const abort = new AbortController();
    try {
      await call({ name, arguments: {} }, { signal: abort.signal, onprogress: () => abort.abort() });
      return "answered";
    } catch (error) {
      if (abort.signal.aborted) return "cancelled";
      throw error;
    }
  },
  leave_running: ({ name }) =>
    new Promise((begun) => {
      left = attempt(() => call({ name, arguments: {} }, { onprogress: () => begun(null) }));
    }),
  time_out: ({ name, seconds }) => call({ name, arguments: {} }, { timeout: seconds * 1000 }),
  read: ({ uri }) => client.readResource({ uri }),
  prompt: ({ name, arguments: given }) => client.getPrompt({ name, arguments: given }),
  complete: ({ ref, name, value, others }) =>
    client.complete({ ref, argument: { name, value }, ...(others && { context: { arguments: others } }) }),
  changed: async ({ name, arguments: given, uri }) => {
    const isOlder = client.getNegotiatedProtocolVersion() < "2026";
    const told = new Promise((heard) => void (notice = heard));
    const subscription = isOlder
      ? await client.subscribeResource({ uri })
      : await client.listen({ toolsListChanged: true, resourceSubscriptions: [uri] });
    await call({ name, arguments: given });
    const first = await told;
    await (isOlder ? client.unsubscribeResource({ uri }) : subscription.close());
    return { honored: subscription.honoredFilter ?? null, ...first };
  },
  take_faults: () => {
    const found = faults;
    faults = [];
    return found;
  },
};

async function attempt(make) {
  try {
    return { ok: await make() };
  } catch (error) {
    const told = { kind: error.name === "Error" ? error.constructor.name : error.name, message: error.message };
    return { error: typeof error.code === "number" ? { ...told, code: error.code, data: error.data ?? null } : told };
  }
}

const tell = (answer) => process.stdout.write(`${JSON.stringify(answer)}\n`);

const transport = command.startsWith("http")
  ? new StreamableHTTPClientTransport(new URL(command))
  : new StdioClientTransport({ command, args });
const connected = await attempt(() => client.connect(transport, { timeout: PATIENCE }));
if (connected.error) {
  tell(connected);
} else {
  tell({ ok: "connected" });
  for await (const line of createInterface({ input: process.stdin })) {
    const { do: name, ...asked } = JSON.parse(line);
    tell(await attempt(() => commands[name](asked)));
  }
}
await client.close();
await left;
if (!connected.error) tell({ ok: "closed" });
