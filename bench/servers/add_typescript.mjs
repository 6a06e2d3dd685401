// The tool `add` on the official TypeScript SDK, over stdio.
import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";

serveStdio(() => {
  const server = new McpServer({ name: "add", version: "1.0.0" });
  server.registerTool(
    "add",
    {
      description: "Add two whole numbers.",
      inputSchema: z.object({ a: z.int(), b: z.int() }),
      outputSchema: z.object({ result: z.int() }),
    },
    ({ a, b }) => ({
      content: [{ type: "text", text: String(a + b) }],
      structuredContent: { result: a + b },
    }),
  );
  return server;
});
