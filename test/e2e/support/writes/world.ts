import { rmSync } from 'node:fs'
import { join as joinPath, resolve } from 'node:path'
import type { BrowserContext, Locator, Page } from 'playwright'
import type { RunningServer } from '../../../../src/server/compose/running-server.ts'
import type { SignedIn } from '../../../../src/server/people/account.ts'
import { createServer } from '../../../../src/server/server.ts'
import { PublishBody } from '../../../../src/shared/releases/release.ts'
import { PRINCIPAL } from '../../../support/builders/actor.ts'
import { FAST_PASSWORDS } from '../../../support/builders/passwords.ts'
import { join, PASSWORD, setUp } from '../../../support/builders/people.ts'
import { freePort } from '../../../support/processes/ports.ts'
import { databaseOf } from '../../../support/servers/engine.ts'
import { callConsole, releaseBody } from '../api.ts'
import { sharedBrowser, showCode } from '../browser.ts'
import { chooseItem, openDialog, screenButton } from '../dialog.ts'
import { goToAddress, goToScreen, newUserData } from '../release-console.ts'

/** A server that stores files, and its console in a browser of an administrator whose clock can be moved. */
export interface World {
  readonly page: Page
  readonly running: RunningServer
  readonly address: string
  readonly main: Locator
  readonly dialog: Locator
  /** A button of the screen. */
  button(name: string): Locator
  item(trigger: string, name: string): Promise<void>
  /** A field of the dialog. */
  field(name: string): Locator
  /** A name that nothing else has. */
  name(): string
  /** Creates an app with the channel `stable`. Returns its reference, which is also its name. */
  app(): Promise<string>
  /** Publishes a release of a new app, and returns the app; or of one that exists. */
  release(version: string, more?: Readonly<Record<string, unknown>>): Promise<string>
  /** Adds somebody with a role on the server, signed in. */
  person(role?: Parameters<typeof join>[2]): Promise<SignedIn>
  /** Calls a procedure as the page does, behind its back. Throws what refuses it. */
  call(path: string, input?: unknown): Promise<unknown>
  close(): Promise<void>
}

export async function openWorld(): Promise<World> {
  const folder = newUserData()
  const dataFolder = joinPath(folder, 'data')
  const port = await freePort()
  const running = await createServer(
    {
      ...{ dataFolder, database: await databaseOf(dataFolder), port, limits: { device: 0 } },
      console: { pageFolder: resolve('out/renderer') },
      hosting: { folder: joinPath(folder, 'artifacts'), publicUrl: `http://127.0.0.1:${port}` },
    },
    undefined,
    FAST_PASSWORDS,
  ).start()
  await setUp(running.people, 'Ada')
  const context = await signedIn(running, 'Ada')
  const page = await context.newPage()
  await page.clock.install()
  await page.goto(running.consoleAddress ?? '')
  await page.getByRole('heading', { level: 1 }).waitFor()
  let last = 0
  const name = () => `n${++last}`
  const app = async () => {
    const ref = name()
    await running.updates.createApp(PRINCIPAL, { ref, name: ref })
    return ref
  }
  return {
    ...{ page, running, name, app, address: running.address },
    main: page.getByRole('main'),
    dialog: openDialog({ page }),
    button: (label) => screenButton({ page }, label),
    item: (trigger, label) => chooseItem({ page }, trigger, label),
    field: (label) => openDialog({ page }).getByLabel(label, { exact: true }),
    async release(version, more = {}) {
      const body = releaseBody(version, { app: more.app ?? (await app()), ...more })
      await running.updates.publishRelease(PRINCIPAL, PublishBody.parse(body))
      return body.app
    },
    person: (role = 'release_manager') => join(running.people, name(), role),
    async call(path, input) {
      const answer = await callConsole(page, 'mutation', path, input)
      if (!answer.ok) throw new Error(JSON.stringify(answer.error))
      return answer.data
    },
    async close() {
      await context.close()
      await running.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A browser with a session of that person. */
export async function signedIn(running: RunningServer, name: string): Promise<BrowserContext> {
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

/** Opens an address of the console anew. */
export async function openAt({ page }: World, hash: string): Promise<void> {
  await goToScreen(page, 'Overview')
  await goToAddress(page, hash)
}
