// Does a bit of everything with a client of the official TypeScript SDK 1.x: `use_older.mjs RELEASE SERVER…`; prints what
// came as JSON, in the words of ../peers/use_older.py. The server is a command, or an address that begins with `http`.
const [release, target, ...args] = process.argv.slice(2);
const { Client } = await import(`${release}/client/index.js`);
const types = await import(`${release}/types.js`);
const WATCHED = "x:///fixed";

async function connection() {
  if (target.startsWith("http")) {
    const { StreamableHTTPClientTransport } = await import(`${release}/client/streamableHttp.js`);
    return new StreamableHTTPClientTransport(new URL(target));
  }
  const { StdioClientTransport } = await import(`${release}/client/stdio.js`);
  return new StdioClientTransport({ command: target, args });
}

const asksPeople = types.ElicitRequestSchema !== undefined;
const client = new Client(
  { name: "older-driver", version: "1.0.0" },
  { capabilities: { sampling: {}, roots: {}, ...(asksPeople && { elicitation: {} }) } },
);
client.setRequestHandler(types.CreateMessageRequestSchema, () => ({
  role: "assistant",
  model: "none",
  content: { type: "text", text: "A model says so." },
}));
client.setRequestHandler(types.ListRootsRequestSchema, () => ({ roots: [{ uri: "file:///home/ada" }] }));
if (asksPeople) {
  client.setRequestHandler(types.ElicitRequestSchema, ({ params }) => {
    const [name] = Object.keys(params.requestedSchema.properties);
    return { action: "accept", content: { [name]: name === "name" ? "Ada" : 3 } };
  });
}
const lines = [];
client.setNotificationHandler(types.LoggingMessageNotificationSchema, ({ params }) => void lines.push(params.level));
const updated = new Promise((heard) => {
  client.setNotificationHandler(types.ResourceUpdatedNotificationSchema, ({ params }) => heard(params.uri));
});

// These releases keep the revision that was agreed on to themselves.
let version;
const request = client.request.bind(client);
client.request = async (asked, ...more) => {
  const result = await request(asked, ...more);
  if (asked.method === "initialize") version = result.protocolVersion;
  return result;
};

const call = (name, given = {}, options = undefined) => client.callTool({ name, arguments: given }, undefined, options);
const json = (result) => JSON.parse(result.content[0].text);

async function missing() {
  try {
    await client.readResource({ uri: "x:///none" });
  } catch (error) {
    return error.code;
  }
}

async function logged() {
  for (const level of ["debug", "error"]) {
    await client.setLoggingLevel(level);
    await call("note", { text: "x" });
  }
  return lines;
}

async function news() {
  await client.subscribeResource({ uri: WATCHED });
  await call("touch", { uri: WATCHED });
  const uri = await updated;
  await client.unsubscribeResource({ uri: WATCHED });
  return uri;
}

await client.connect(await connection());
const first = await client.listTools();
const second = await client.listTools({ cursor: first.nextCursor });
const added = await call("add", { a: 1, b: 2 });
const asked = await call("ask_machine");
const progress = [];
await call("count", { to: 3 }, { onprogress: (step) => progress.push(step.progress) });
const ref = { type: "ref/prompt", name: "visit" };
const found = {
  version,
  name: client.getServerVersion().name,
  tools: [first.tools.length, second.tools.length],
  added: added.content[0].text,
  structured: added.structuredContent ?? null,
  failed: (await call("add", { a: 1 })).isError,
  blocks: (await call("blocks")).content.map((block) => block.type),
  read: (await client.readResource({ uri: WATCHED })).contents[0].text,
  missing: await missing(),
  prompt: (await client.getPrompt({ name: "visit", arguments: { city: "Bern" } })).messages[0].content.text,
  completed: (await client.complete({ ref, argument: { name: "city", value: "be" } })).completion.values,
  ping: await client.ping(),
  asked: [json(asked), asked.isError ?? false],
  person: asksPeople ? json(await call("ask_person")) : null,
  progress,
  lines: await logged(),
  updated: await news(),
};
await client.close();
console.log(JSON.stringify(found));
