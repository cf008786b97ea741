import { rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { BrowserContext } from 'playwright'
import type { RunningServer } from '../../../src/server/compose/running-server.ts'
import { createServer } from '../../../src/server/server.ts'
import { FAST_PASSWORDS } from '../../support/builders/passwords.ts'
import { PASSWORD, setUp } from '../../support/builders/people.ts'
import { freePort } from '../../support/processes/ports.ts'
import { databaseOf } from '../../support/servers/engine.ts'
import { sharedBrowser, showCode } from './browser.ts'
import { newUserData } from './release-console.ts'

/** Starts a server of which the spec has the use cases, with the administrator Ada. `stop` removes its folder. */
export async function startOwnServer({ storesFiles = false } = {}): Promise<{
  readonly running: RunningServer
  readonly stop: () => Promise<void>
}> {
  const folder = newUserData()
  const dataFolder = join(folder, 'data')
  const port = await freePort()
  const publicUrl = `http://127.0.0.1:${port}`
  const hosting = { folder: join(folder, 'artifacts'), publicUrl, quotaGiB: 1 }
  const running = await createServer(
    {
      ...{ dataFolder, database: await databaseOf(dataFolder), port, limits: { device: 0 } },
      console: { pageFolder: resolve('out/renderer') },
      ...(storesFiles ? { hosting } : {}),
    },
    undefined,
    FAST_PASSWORDS,
  ).start()
  await setUp(running.people, 'Ada')
  const stop = async () => {
    await running.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  return { running, stop }
}

/** A browser with a session of somebody who has an account there. */
export async function signedInAs(running: RunningServer, name: string): Promise<BrowserContext> {
  const { consoleAddress } = running
  if (consoleAddress === null) throw new Error('the console is offered to nobody')
  const viewport = { width: 1_280, height: 800 }
  const context = await (await sharedBrowser()).newContext({ viewport, reducedMotion: 'reduce' })
  context.setDefaultTimeout(60_000)
  const headers = { origin: new URL(consoleAddress).origin, 'tidegate-console': '1' }
  const data = { name, password: PASSWORD }
  await showCode(context, consoleAddress, running.consoleCode)
  const answer = await context.request.post(`${consoleAddress}account/signIn`, { headers, data })
  if (!answer.ok()) throw new Error(await answer.text())
  return context
}
