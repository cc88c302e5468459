// A client of `outtray mcp` as a process of its own, so that a test can kill it: `node mcp-client.ts FILE COMMAND…` starts
// the server by the official SDK, prints its process id, and asks it to upload the file.
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const [file = '', command = '', ...before] = process.argv.slice(2);
const env = Object.fromEntries(
  Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
);
const client = new Client({ name: 'killed', version: '1' });
const transport = new StdioClientTransport({ command, args: [...before, 'mcp'], env });
await client.connect(transport);
console.log(String(transport.pid));
await client.callTool({ name: 'upload_files', arguments: { files: [{ path: file }] } });
await client.close();
