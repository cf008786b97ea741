import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { temporaryFolder } from '../../support/builders/folders.ts'
import { eventually } from '../../support/eventually.ts'
import { freePort } from '../../support/processes/ports.ts'

/** Starts HAProxy in front of nodes on these ports, until the test is over. Returns its address. */
export async function startBalancer(ports: readonly number[]): Promise<string> {
  const port = await freePort()
  const file = join(temporaryFolder(), 'haproxy.cfg')
  writeFileSync(file, configuration(port, ports))
  const child = spawn('haproxy', ['-db', '-f', file], { stdio: 'ignore' })
  const ended = once(child, 'exit')
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  const address = `http://127.0.0.1:${port}`
  await eventually(async () => {
    if (child.exitCode !== null) throw new Error(`HAProxy ended with ${child.exitCode}`)
    const { status } = await fetch(`${address}/healthz`)
    if (status !== 200) throw new Error(`HAProxy answers ${status}`)
  })
  return address
}

/** As the documentation of any balancer has it: nodes that are not healthy get no requests. */
function configuration(port: number, ports: readonly number[]): string {
  const servers = ports.map((each, at) => `  server node${at} 127.0.0.1:${each} check`)
  return `global
  maxconn 1000
defaults
  mode http
  timeout connect 1s
  timeout client 70s
  timeout server 70s
  option redispatch
frontend devices
  bind 127.0.0.1:${port}
  default_backend nodes
backend nodes
  option httpchk GET /healthz
  http-check expect status 200
  default-server inter 300ms fall 2 rise 1
${servers.join('\n')}
`
}
