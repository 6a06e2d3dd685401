// A server on the official TypeScript SDK with one of everything a client can use: over stdio, or HTTP at a port.
import { createServer } from "node:http";
import { pipeline, Readable } from "node:stream";
import { completable, createMcpHandler, inputRequired, McpServer, ResourceNotFoundError, ResourceTemplate } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";

const DOT = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==";
const SILENCE = "UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA=";
const CITIES = ["Berlin", "Bern", "Bremen", "Paris"];
const VALUES = { null: null, false: false, zero: 0, text: "", list: [], object: { a: [1, null] } };
const held = { begun: 0, ended: 0 };

const text = (value) => ({ type: "text", text: typeof value === "string" ? value : JSON.stringify(value) });
const answer = (value) => ({ content: [text(value)], structuredContent: { result: value } });
const MANY = Array.from({ length: 150 }, (_, number) => `Z${number}`);
const cities = (value) => [...CITIES, ...MANY].filter((name) => name.startsWith(value));
const progress = (ctx, step, total, message) => {
  const progressToken = ctx.mcpReq._meta?.progressToken;
  if (progressToken === undefined) return;
  const params = { progressToken, progress: step, total, message };
  return ctx.mcpReq.notify({ method: "notifications/progress", params });
};

function tools(server) {
  const result = (kind) => z.object({ result: kind });
  server.registerTool(
    "add",
    {
      description: "Add two whole numbers.",
      inputSchema: z.object({ a: z.int(), b: z.int() }),
      outputSchema: result(z.int()),
    },
    ({ a, b }) => answer(a + b),
  );
  server.registerTool(
    "part",
    {
      description: "Give a part.",
      inputSchema: z.object({ number: z.int() }),
      outputSchema: z.object({ number: z.int(), name: z.string(), note: z.string().nullable() }),
    },
    async ({ number }) => {
      const part = { number, name: `part ${number}`, note: null };
      return { content: [text(part)], structuredContent: part };
    },
  );
  server.registerTool(
    "echo",
    { description: "Give a text back.", inputSchema: z.object({ text: z.string() }), outputSchema: result(z.string()) },
    ({ text: given }) => answer(given),
  );
  server.registerTool(
    "value",
    { description: "Give structured content of a kind.", inputSchema: z.object({ kind: z.string() }) },
    ({ kind }) => ({ content: [text(VALUES[kind])], structuredContent: VALUES[kind] }),
  );
  server.registerTool("blocks", { description: "Give a content block of every kind." }, () => ({
    content: [
      text("text"),
      { type: "image", data: DOT, mimeType: "image/png" },
      { type: "audio", data: SILENCE, mimeType: "audio/wav" },
      { type: "resource_link", uri: "x:///fixed", name: "fixed" },
      { type: "resource", resource: { uri: "x:///fixed", mimeType: "text/plain", text: "fixed" } },
      { type: "resource", resource: { uri: "x:///dot", mimeType: "image/png", blob: DOT } },
    ],
  }));
  server.registerTool(
    "count",
    { description: "Count, with progress.", inputSchema: z.object({ to: z.int() }), outputSchema: result(z.int()) },
    async ({ to }, ctx) => {
      for (let number = 1; number <= to; number++) await progress(ctx, number, to, `at ${number}`);
      return answer(to);
    },
  );
  server.registerTool("hold", { description: "Tell that it has begun, then wait until cancelled." }, async (ctx) => {
    held.begun++;
    await progress(ctx, 1, undefined, "begun");
    await new Promise((resolve) => ctx.mcpReq.signal.addEventListener("abort", resolve));
    held.ended++;
    return { content: [] };
  });
  server.registerTool(
    "holds",
    { description: "Tell how many calls of hold have begun and how many have ended.", outputSchema: result(z.array(z.int())) },
    () => answer([held.begun, held.ended]),
  );
  server.registerTool("fail", { description: "Fail in a way that the model may read." }, () => ({
    content: [text("nothing to be done")],
    isError: true,
  }));
  server.registerTool("crash", { description: "Fail in a way that nobody may read." }, () => {
    throw new Error("secret");
  });
  server.registerTool("chatter", { description: "Print to stdout, as handlers do." }, () => {
    console.log("a word to nobody");
    return { content: [text("printed")] };
  });
  server.registerTool("stumble", { description: "Tell progress that does not go forward." }, async (ctx) => {
    for (const step of [0, 0, 50, 20]) await progress(ctx, step, 100);
    return { content: [text("stumbled")] };
  });
  server.registerTool("whisper", { description: "Log, whether it was asked for or not." }, async (ctx) => {
    await ctx.mcpReq.log("info", "a whisper");
    return { content: [text("whispered")] };
  });
  server.registerTool("ask", { description: "Ask the user, whether the client can or not." }, () =>
    inputRequired({
      inputRequests: {
        amount: inputRequired.elicit({
          message: "How many?",
          requestedSchema: { type: "object", properties: { amount: { type: "integer" } } },
        }),
      },
    }));
  for (let number = 0; number < 150; number++)
    server.registerTool(`many_${String(number).padStart(3, "0")}`, { description: "Be one of many tools." }, () =>
      ({ content: [text("one")] }));
}

function resources(server) {
  const plain = { mimeType: "text/plain" };
  server.registerResource("fixed", "x:///fixed", { ...plain, description: "A fixed text." }, (uri) => ({
    contents: [{ uri: uri.href, ...plain, text: "fixed" }],
  }));
  const bytes = { mimeType: "application/octet-stream" };
  server.registerResource("blob", "x:///blob", { ...bytes, description: "Some bytes." }, (uri) => ({
    contents: [{ uri: uri.href, ...bytes, blob: "AP8=" }],
  }));
  const template = new ResourceTemplate("x:///city/{city}", { list: undefined, complete: { city: cities } });
  server.registerResource("city", template, { ...plain, description: "A city." }, (uri, { city }) => {
    if (!CITIES.includes(city)) throw new ResourceNotFoundError(uri.href);
    return { contents: [{ uri: uri.href, ...plain, text: `About ${city}` }] };
  });
}

const make = () => {
  const server = new McpServer({ name: "pantry", version: "1.2.3" }, { instructions: "Use it well.", capabilities: { logging: {} } });
  tools(server);
  resources(server);
  server.registerPrompt(
    "visit",
    { description: "Plan a visit.", argsSchema: z.object({ city: completable(z.string(), cities) }) },
    ({ city }) => ({ messages: [{ role: "user", content: text(`Plan a visit to ${city}.`) }] }),
  );
  return server;
};

// What the SDK's adapter for Node does, which is a package of its own.
async function answer_http(handler, req, res) {
  const gone = new AbortController();
  res.on("close", () => gone.abort());
  const body = req.method === "POST" ? Readable.toWeb(req) : undefined;
  const url = `http://${req.headers.host}${req.url}`;
  const request = new Request(url, { method: req.method, headers: req.headers, body, duplex: "half", signal: gone.signal });
  const reply = await handler.fetch(request);
  res.writeHead(reply.status, Object.fromEntries(reply.headers));
  // `pipeline` ends the body when the client leaves. The signal alone does not: Node passes it on from request to request
  // only until one of them is collected, and the SDK reads a copy.
  if (reply.body) pipeline(Readable.fromWeb(reply.body), res, () => res.destroy());
  else res.end();
}

const port = Number(process.argv.at(-1));
if (Number.isInteger(port)) {
  const handler = createMcpHandler(make);
  createServer((req, res) => answer_http(handler, req, res).catch(() => res.destroy())).listen(port, "127.0.0.1");
} else {
  serveStdio(make);
}
