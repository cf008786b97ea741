import type { Locator, Page } from 'playwright'
import type { RunningServer } from '../../../../src/server/compose/running-server.ts'
import type { SignedIn } from '../../../../src/server/people/account.ts'
import { PublishBody } from '../../../../src/shared/releases/release.ts'
import { PRINCIPAL } from '../../../support/builders/actor.ts'
import { join } from '../../../support/builders/people.ts'
import { callConsole, releaseBody } from '../api.ts'
import { chooseItem, openDialog, screenButton } from '../dialog.ts'
import { signedInAs, startOwnServer } from '../own-server.ts'
import { goToAddress, goToScreen } from '../release-console.ts'

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
  const { running, stop } = await startOwnServer({ storesFiles: true })
  const context = await signedInAs(running, 'Ada')
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
    field: (label) => openDialog({ page }).getByLabel(label).first(),
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
      await stop()
    },
  }
}

/** Opens an address of the console anew. */
export async function openAt({ page }: World, hash: string): Promise<void> {
  await goToScreen(page, 'Overview')
  await goToAddress(page, hash)
}
