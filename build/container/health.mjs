import { readFileSync } from 'node:fs'
import { get } from 'node:http'
import { get as getSecurely } from 'node:https'
import { join } from 'node:path'

// The health check of the container: exits with 0 while the process answers, because only a
// server that does not is helped by a restart. It asks the server at the
// address that it has noted in its data folder, because port and TLS are settings.

const { address } = JSON.parse(
  readFileSync(join(String(process.env.TIDEGATE_DATA), 'server.json'), 'utf8'),
)
const url = new URL('/healthz/live', address)
// All network interfaces include this one.
if (url.hostname === '0.0.0.0') url.hostname = '127.0.0.1'
if (url.hostname === '[::]') url.hostname = '[::1]'
const send = url.protocol === 'https:' ? getSecurely : get
// The certificate is for the server's public name, not for this address.
send(url, { rejectUnauthorized: false }, (response) => {
  process.exit(response.statusCode === 200 ? 0 : 1)
})
