import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { makePair } from '../support/builders/certificates.ts'
import { callConsole } from './support/api.ts'
import { PERSON } from './support/browser.ts'
import { openConsole, type ReleaseConsole, startOver } from './support/console.ts'
import {
  add,
  bar,
  endSessions,
  enterCode,
  fingerprintIn,
  fingerprintOf,
  holdsFocus,
  inOneLine,
  sessionsOf,
  signIn,
  startAdding,
  switcher,
  switchTo,
  THERE,
} from './support/remote.ts'
import {
  type SecondServer,
  type SecondServerOptions,
  startSecondServer,
} from './support/second-server.ts'
import { createApp, EDITOR, openPublishForm } from './support/steps.ts'

const ListFile = z.object({
  servers: z.array(z.object({ id: z.string() })),
  current: z.string().nullable(),
})

/** What test/main/servers shows without the screens, too. */
const testOfAll = test.runIf(process.env.E2E_ALL)

let one: ReleaseConsole
const started: SecondServer[] = []

beforeAll(async () => {
  one = await openConsole({ reducedMotion: true })
})
afterEach(async () => {
  await forgetServers()
  for (const second of started.splice(0)) await second.close()
})
afterAll(() => one?.close())

/** Removes every server from the app of all tests, whose own is then in use again. */
async function forgetServers(): Promise<void> {
  const file = join(one.userData, 'servers.json')
  if (!existsSync(file)) return
  const { servers, current } = ListFile.parse(JSON.parse(readFileSync(file, 'utf8')))
  for (const { id } of servers) {
    const path = 'shell.servers.remove'
    // The page of the server that is shown is loaded anew, before it hears of it.
    const loaded = id === current ? one.page.waitForEvent('load') : undefined
    await callConsole(one.page, 'mutation', path, { id }).catch(() => {})
    await loaded
  }
  await expect.poll(() => bar(one.page).count()).toBe(0)
  await startOver(one)
}

async function serve(tls?: SecondServerOptions['tls']): Promise<SecondServer> {
  const second = await startSecondServer({ tls })
  started.push(second)
  return second
}

test('the link of a wall view leads to the server in use; the own one has no page for browsers', async () => {
  const { page, goTo } = one
  const second = await serve()
  const askForKey = async () => {
    await goTo('API keys')
    await page.getByRole('main').getByRole('button', { name: 'Create key' }).click()
    await page.getByRole('dialog').getByRole('checkbox', { name: 'Read' }).waitFor()
    return page.getByRole('dialog').getByRole('checkbox', { name: 'Wall view' })
  }
  expect(await (await askForKey()).count()).toBe(0)
  await page.getByRole('button', { name: 'Cancel' }).click()
  await add(one, second)
  await (await askForKey()).check()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Name' }).fill('office')
  await dialog.getByRole('button', { name: 'Create key' }).click()
  await dialog.getByText(`${second.running.address}/console/#/wall/tg_`).waitFor()
  await dialog.getByRole('button', { name: 'I have copied it' }).click()
})

test('a server of this computer is added, signed in to and shown', async () => {
  const second = await serve()
  await second.running.updates.createApp(THERE, {
    ref: 'editor',
    name: 'Editor there',
  })
  const { page } = one
  await add(one, second)
  await page.getByText('Editor there').first().waitFor()
  await expect.poll(() => page.title()).toBe('Overview · Studio · Tidegate')
  await bar(page).getByText(`Signed in as ${PERSON.name}`).waitFor()
})

test('a certificate is compared first, and a changed one is refused with both fingerprints', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tidegate-tls-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const pair = await makePair(folder, 'studio')
  const other = await makePair(folder, 'other')
  const second = await serve(pair)
  const { page } = one
  await startAdding(page, second.address, 'Studio')
  const question = page.getByRole('dialog', { name: 'Verify the certificate' })
  expect(await fingerprintIn(question)).toBe(fingerprintOf(pair.certFile))
  await expect.poll(() => holdsFocus(question)).toBe(true)
  await question.getByRole('button', { name: 'Trust and connect' }).click()
  const dialog = page.getByRole('dialog', { name: 'Sign in to Studio' })
  await expect.poll(() => holdsFocus(dialog.getByLabel('Name', { exact: true }))).toBe(true)
  await signIn(dialog)
  await expect.poll(() => holdsFocus(dialog.getByRole('textbox', { name: 'Code' }))).toBe(true)
  await enterCode(dialog, second)
  await bar(page).getByText(`Signed in as ${PERSON.name}`).waitFor()

  await second.stop()
  await second.start(other)
  await page.getByText('The certificate of Studio is not trusted').waitFor()
  await page.getByRole('button', { name: 'Review certificate' }).click()
  const review = page.getByRole('dialog', { name: 'Certificate of Studio' })
  const shown = async () => (await review.locator('pre').allTextContents()).map(inOneLine)
  const expected = [fingerprintOf(pair.certFile), fingerprintOf(other.certFile)]
  await expect.poll(shown).toEqual(expected)
  await review.getByRole('button', { name: 'Trust new certificate' }).click()
  const again = page.getByRole('dialog', { name: 'Sign in to Studio' })
  await signIn(again)
  await enterCode(again, second)
  await bar(page).getByText(`Signed in as ${PERSON.name}`).waitFor()
})

test('a session that has ended is begun again over the screen, which keeps its input', async () => {
  const second = await serve()
  await add(one, second)
  const { page, goTo } = one
  await goTo('Apps and channels')
  await page.getByRole('main').getByRole('button', { name: 'Create app' }).click()
  const form = page.getByRole('dialog', { name: 'Create an app' })
  await form.getByRole('textbox', { name: 'Name' }).fill('Viewer')
  await endSessions(second)
  const dialog = page.getByRole('dialog', { name: 'Sign in to Studio' })
  await dialog.waitFor()
  await bar(page).getByText('Signed out').waitFor()
  await signIn(dialog)
  await bar(page).getByText(`Signed in as ${PERSON.name}`).waitFor()
  await form.getByRole('button', { name: 'Create app' }).click()
  await page.getByRole('heading', { level: 1, name: 'Viewer' }).waitFor()
  expect(
    second.running.consoleContext.catalog.snapshot.apps.map(({ record }) => record.name),
  ).toEqual(['Viewer'])
})

testOfAll(
  'a server that is gone is said to be, and its changes are shown once it is back',
  async () => {
    const second = await serve()
    await add(one, second)
    const { page, goTo } = one
    await goTo('Apps and channels')
    await second.stop()
    await page.getByText('The connection to the server was lost.').waitFor()
    await second.start()
    await page.getByText('Server is running').waitFor()
    await second.running.updates.createApp(THERE, { ref: 'late', name: 'Came late' })
    await page.getByText('Came late').waitFor()
  },
)

test('another server is shown only once the input of a form was given up', async () => {
  const second = await serve()
  await createApp(one)
  await add(one, second)
  const { page, goTo } = one
  await goTo('Settings')
  expect(await page.getByRole('heading', { name: 'Security' }).count()).toBe(0)
  expect(await page.getByRole('button', { name: /Restore/ }).count()).toBe(0)
  await page.getByRole('button', { name: 'Back up now' }).waitFor()
  await switchTo(page, 'This computer')
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  await expect.poll(() => bar(page).count()).toBe(0)
  await page.getByText(EDITOR.name).first().waitFor()
  await expect.poll(() => page.title()).toBe('Overview · Tidegate')

  await openPublishForm(one)
  await page.getByRole('textbox', { name: 'Version' }).fill('1.0.0')
  await switchTo(page, 'Studio')
  const question = page.getByRole('dialog', { name: 'Leave without publishing?' })
  await question.getByRole('button', { name: 'Cancel' }).click()
  expect(await page.getByRole('textbox', { name: 'Version' }).inputValue()).toBe('1.0.0')
  expect(await bar(page).count()).toBe(0)
  await switchTo(page, 'Studio')
  await question.getByRole('button', { name: 'Discard changes' }).click()
  await bar(page).getByText('Studio', { exact: true }).waitFor()
  await goTo('Apps and channels')
  await page.getByText('No apps yet').waitFor()
})

testOfAll('a server is remembered, signed in, and removed', async () => {
  const second = await serve()
  const { userData } = one
  await add(one, second)
  await one.quit()
  one = await openConsole({ userData, keepSettings: true, reducedMotion: true })
  const { page } = one
  await bar(page).getByText(`Signed in as ${PERSON.name}`).waitFor()
  expect(readFileSync(join(userData, 'servers.json'), 'utf8')).not.toContain('tidegate-session')

  await switcher(page).click()
  await page.getByRole('menuitem', { name: 'Manage servers…' }).click()
  const manage = page.getByRole('dialog', { name: 'Manage servers' })
  await manage.getByRole('button', { name: 'Remove Studio' }).click()
  await page
    .getByRole('dialog', { name: 'Remove Studio' })
    .getByRole('button', { name: 'Remove Studio' })
    .click()
  await expect.poll(() => bar(page).count()).toBe(0)
  await expect.poll(() => sessionsOf(second).length).toBe(1)
})

testOfAll(
  'where the system cannot encrypt, the sign-in says that the session is not kept',
  async () => {
    const second = await serve()
    const { app, page, userData } = one
    const could = await app.evaluateHandle(({ safeStorage }) => {
      const { isAsyncEncryptionAvailable } = safeStorage
      safeStorage.isAsyncEncryptionAvailable = async () => false
      return isAsyncEncryptionAvailable
    })
    onTestFinished(() =>
      app.evaluate(({ safeStorage }, before) => {
        safeStorage.isAsyncEncryptionAvailable = before
      }, could),
    )
    await startAdding(page, second.link, 'Studio')
    const dialog = page.getByRole('dialog', { name: 'Sign in to Studio' })
    await dialog.getByText('Your session is kept in memory only').waitFor()
    await signIn(dialog)
    await bar(page).getByText(`Signed in as ${PERSON.name}`).waitFor()
    expect(JSON.parse(readFileSync(join(userData, 'servers.json'), 'utf8')).servers).toMatchObject([
      { session: null },
    ])
  },
)

testOfAll('plain HTTP beyond this computer is agreed to first', async () => {
  const { page } = one
  await startAdding(page, 'http://192.0.2.1:8440', 'Elsewhere')
  const question = page.getByRole('dialog', { name: 'Connect without encryption?' })
  await question.getByRole('button', { name: 'Cancel' }).click()
  await question.waitFor({ state: 'detached' })
})
