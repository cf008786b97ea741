import { spawn, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Workspace } from './workspace.ts'

const PATIENCE = 10_000
/** Debian has it where only administrators look. */
const PATH = `${process.env.PATH}:/usr/sbin`

/** Returns the version of the installed nginx; undefined if there is none. */
export function nginxVersion(): string | undefined {
  const { stderr } = spawnSync('nginx', ['-v'], { encoding: 'utf8', env: { PATH } })
  return /nginx\/(\S+)/.exec(stderr ?? '')?.[1]
}

export interface Nginx {
  stop(): void
}

/** Serves a folder with nginx on a port, with the settings for files of Debian's package, and one worker. */
export async function startNginx(
  workspace: Workspace,
  { folder, port, cpus }: { folder: string; port: number; cpus: string | undefined },
): Promise<Nginx> {
  const own = workspace.folder('nginx')
  const file = join(own, 'nginx.conf')
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${join(own, name)};`)
    .join('\n  ')
  writeFileSync(
    file,
    `daemon off;
master_process off;
pid ${join(own, 'nginx.pid')};
error_log stderr;
events { worker_connections 768; }
http {
  ${temporary}
  sendfile on;
  tcp_nopush on;
  types_hash_max_size 2048;
  default_type application/octet-stream;
  access_log off;
  server { listen 127.0.0.1:${port}; root ${folder}; }
}
`,
  )
  const command = ['nginx', '-c', file, '-p', own, '-e', 'stderr']
  const [program = '', ...args] = cpus === undefined ? command : ['taskset', '-c', cpus, ...command]
  const child = workspace.track(spawn(program, args, { stdio: 'ignore', env: { PATH } }))
  await listening(port)
  return { stop: () => child.kill('SIGTERM') }
}

async function listening(port: number): Promise<void> {
  const deadline = performance.now() + PATIENCE
  while (!(await answers(port))) {
    if (performance.now() > deadline) throw new Error('nginx did not start')
    await delay(20)
  }
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true))
    socket.once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}
