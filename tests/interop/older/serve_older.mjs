// A server on the official TypeScript SDK 1.x: `serve_older.mjs RELEASE`, on stdio, in the revision of its release.
const [release] = process.argv.slice(2);
const { Server } = await import(`${release}/server/index.js`);
const { StdioServerTransport } = await import(`${release}/server/stdio.js`);
const types = await import(`${release}/types.js`);

const capabilities = { tools: { listChanged: true }, resources: { subscribe: true } };
const server = new Server({ name: "larder", version: "1.0.0" }, { capabilities, instructions: "Ask." });
const text = (said) => ({ content: [{ type: "text", text: `${said}` }] });
const watched = new Set();

const tools = {
  add: ({ a, b }) => text(a + b),
  count: async ({ to }, { progressToken }) => {
    for (let progress = 1; progress <= to; progress++) {
      await server.notification({ method: "notifications/progress", params: { progressToken, progress, total: to } });
    }
    return text(to);
  },
  hold: () => new Promise(() => {}),
  fail: () => ({ ...text("nothing to be done"), isError: true }),
  ask_model: async () => {
    const messages = [{ role: "user", content: { type: "text", text: "Say hello" } }];
    return text((await server.createMessage({ messages, maxTokens: 10 })).content.text);
  },
  ask_roots: async () => text((await server.listRoots()).roots.map((root) => root.uri).join(" ")),
  ask_form: async () => {
    const requestedSchema = { type: "object", properties: { amount: { type: "integer" } }, required: ["amount"] };
    const { action, content } = await server.elicitInput({ message: "How many?", requestedSchema });
    return text(`${action} ${JSON.stringify(content)}`);
  },
  change: async () => {
    await server.sendToolListChanged();
    for (const uri of watched) await server.sendResourceUpdated({ uri });
    return text("said");
  },
  watched: () => text([...watched].join(" ")),
};

server.setRequestHandler(types.ListToolsRequestSchema, () => ({
  tools: Object.keys(tools).map((name) => ({ name, inputSchema: { type: "object" } })),
}));
server.setRequestHandler(types.CallToolRequestSchema, ({ params }) =>
  tools[params.name](params.arguments ?? {}, params._meta ?? {}),
);
server.setRequestHandler(types.ReadResourceRequestSchema, ({ params: { uri } }) => ({ contents: [{ uri, text: "fixed" }] }));
server.setRequestHandler(types.SubscribeRequestSchema, ({ params }) => void watched.add(params.uri) ?? {});
server.setRequestHandler(types.UnsubscribeRequestSchema, ({ params }) => void watched.delete(params.uri) ?? {});
await server.connect(new StdioServerTransport());
