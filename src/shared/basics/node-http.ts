/**
 * What is needed of `node:http`. An `import` of that reads all of its exports, and reading `WebSocket` loads what Node has
 * for `fetch`: 13 MB of memory and 40 ms of each start (Node 24.21).
 */
export const { Agent, createServer, request, STATUS_CODES } = process.getBuiltinModule('node:http')
