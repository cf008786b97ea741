import { chmodSync, copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { keepSelfSigned } from '../../../src/server/cli/serve/self-signed.ts'
import { temporaryFolder } from '../builders/folders.ts'
import { PageCode } from '../docs/page.ts'
import { freePort } from '../processes/ports.ts'
import { startProxy } from './proxy.ts'

const code = new PageCode('docs/operate.md')
const SITES = {
  nginx: code.takeOne('Behind a reverse proxy', 'nginx'),
  caddy: code.takeOne('Behind a reverse proxy', 'caddy'),
}

/** The proxies at the root of a name and under a path of it. */
export const PROXIED = [
  ['nginx', ''],
  ['nginx', '/tidegate'],
  ['caddy', ''],
  ['caddy', '/tidegate'],
] as const

/**
 * Starts nginx as docs/operate.md configures it, without TLS, on a free port, until the test is over. Returns its address.
 */
export async function startPlainNginx(server: string): Promise<string> {
  const port = await freePort()
  const site = SITES.nginx
    .replace('127.0.0.1:8440', new URL(server).host)
    .replaceAll(/^ *ssl_certificate.*\n/gm, '')
    .replace('listen 443 ssl', `listen ${port}`)
  await startProxy('nginx', { site, port })
  return `http://127.0.0.1:${port}`
}

/**
 * Starts a proxy as docs/operate.md configures it, on a free port, until the test is over. `server`: the address that
 * it passes requests on to; `name`: what browsers call it. Returns the origin for browsers.
 */
export async function startDocumentedProxy(
  proxy: keyof typeof SITES,
  { prefix, server, name }: { prefix: string; server: string; name: string },
): Promise<string> {
  const [port, file] = [await freePort(), await certificate()]
  const site = SITES[proxy]
    .replace('127.0.0.1:8440', new URL(server).host)
    .replaceAll(/\/etc\/ssl\/\S+(?=;)/g, file)
    .replace('listen 443', `listen ${port}`)
    .replace('location / {', `location ${prefix}/ {`)
    .replace('handle_path /* {', `handle_path ${prefix}/* {`)
    .replace('updates.example.com {', `https://${name}:${port} {\n  tls ${file} ${file}`)
    .replace('updates.example.com', name)
  await startProxy(proxy, { site, port })
  return `https://${name}:${port}`
}

/** The certificate of this computer in a file that the proxy's account can read. */
async function certificate(): Promise<string> {
  const { file } = await keepSelfSigned(temporaryFolder(), [])
  const folder = mkdtempSync(join(tmpdir(), 'tidegate-proxy-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  chmodSync(folder, 0o755)
  const readable = join(folder, 'certificate.pem')
  copyFileSync(file, readable)
  chmodSync(readable, 0o644)
  return readable
}
