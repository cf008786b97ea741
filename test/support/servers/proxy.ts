import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { temporaryFolder } from '../builders/folders.ts'
import { eventualValue } from '../eventually.ts'

/** A reverse proxy of the system: a test that starts it says so with `needs`. */
export type ProxyName = 'nginx' | 'caddy' | 'haproxy' | 'apache2'

/** Neither proxy should run as root; nobody is the account without rights. */
const NOBODY = 65_534

interface ProxyOptions {
  /** The configuration of the site. */
  readonly site: string
  /** Where it listens. */
  readonly port: number
}

/** Starts a proxy in a folder of its own until the test is over. Throws if the proxy is not installed. */
export async function startProxy(name: ProxyName, { site, port }: ProxyOptions): Promise<void> {
  const folder = temporaryFolder()
  const [command, ...args] = START[name](folder, site)
  const account = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}
  if (account.uid !== undefined) handOver(folder)
  const proxy = spawn(command, args, {
    cwd: folder,
    env: { PATH: `${process.env.PATH}:/usr/sbin`, HOME: folder, XDG_DATA_HOME: folder },
    stdio: ['ignore', 'ignore', 'pipe'],
    ...account,
  })
  let log = ''
  proxy.stderr.setEncoding('utf8').on('data', (part) => {
    log += part
  })
  proxy.once('error', (error) => {
    log += `${error.message}: install Debian's package ${name}`
  })
  onTestFinished(async () => {
    if (proxy.pid === undefined || proxy.exitCode !== null) return
    const ended = once(proxy, 'exit')
    proxy.kill()
    await ended
  })
  await eventualValue(async () => {
    if (proxy.pid === undefined || proxy.exitCode !== null) throw new Error(log)
    return (await isListening(port)) || undefined
  })
}

function nginx(folder: string, site: string): [string, ...string[]] {
  const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  const paths = kinds.map((kind) => `${kind}_temp_path ${folder}/${kind};`)
  const main = [
    `pid ${folder}/nginx.pid;`,
    'daemon off;',
    'events {}',
    `http { access_log off; ${paths.join(' ')} include ${folder}/site.conf; }`,
  ]
  writeFileSync(join(folder, 'site.conf'), site)
  writeFileSync(join(folder, 'nginx.conf'), main.join('\n'))
  return ['nginx', '-e', 'stderr', '-p', folder, '-c', join(folder, 'nginx.conf')]
}

function caddy(folder: string, site: string): [string, ...string[]] {
  // The port for redirects from HTTP is not for tests.
  const main = '{\n  admin off\n  auto_https disable_redirects\n}\n'
  writeFileSync(join(folder, 'Caddyfile'), `${main}${site}\n`)
  mkdirSync(join(folder, 'caddy'))
  return ['caddy', 'run', '--config', join(folder, 'Caddyfile'), '--adapter', 'caddyfile']
}

function haproxy(folder: string, site: string): [string, ...string[]] {
  const times = ['connect', 'client', 'server'].map((kind) => `  timeout ${kind} 60s`)
  const main = ['defaults', '  mode http', ...times, site, '']
  writeFileSync(join(folder, 'haproxy.cfg'), main.join('\n'))
  return ['haproxy', '-db', '-f', join(folder, 'haproxy.cfg')]
}

function apache2(folder: string, site: string): [string, ...string[]] {
  const modules = ['mpm_event', 'authz_core', 'proxy', 'proxy_http'].map(
    (module) => `LoadModule ${module}_module /usr/lib/apache2/modules/mod_${module}.so`,
  )
  const main = [
    ...modules,
    `ServerRoot ${folder}`,
    'ServerName any.example',
    `PidFile ${folder}/apache.pid`,
    `DefaultRuntimeDir ${folder}`,
    `ErrorLog ${folder}/error.log`,
    site,
  ]
  writeFileSync(join(folder, 'apache.conf'), `${main.join('\n')}\n`)
  return ['apache2', '-D', 'FOREGROUND', '-f', join(folder, 'apache.conf')]
}

const START = { nginx, caddy, haproxy, apache2 } as const

function handOver(folder: string): void {
  chownSync(folder, NOBODY, NOBODY)
  chmodSync(folder, 0o700)
  for (const name of readdirSync(folder)) chownSync(join(folder, name), NOBODY, NOBODY)
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  const connected = await once(socket, 'connect').then(
    () => true,
    () => false,
  )
  socket.destroy()
  return connected
}
