import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { expect, onTestFinished, test } from 'vitest'
import { freshDatabase } from '../support/postgres/shared-cluster.ts'
import { freePort } from '../support/processes/ports.ts'
import { openProvider } from '../support/servers/identity-provider.ts'
import { startTcpProxy } from '../support/servers/tcp-proxy.ts'
import { copyCode, openPageOf, serveConsole, sharedBrowser } from './support/browser.ts'
import { expectFits } from './support/looks.ts'

/** Opens the console of a server whose connection to its database can be cut. */
async function open(port = 0, env: Readonly<Record<string, string>> = {}) {
  const network = await startTcpProxy(await freshDatabase({ prepared: true }))
  const folder = mkdtempSync(join(tmpdir(), 'tidegate-e2e-'))
  const served = await serveConsole(folder, port, { DATABASE: network.url, ...env })
  onTestFinished(async () => {
    await served.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  const opened = await openPageOf(served)
  onTestFinished(opened.close)
  return { ...opened, network, address: served.console }
}

const statusOn = (page: Page) => page.getByRole('region', { name: 'Server status' })

test('the console keeps what it shows while its server is without database, and saves again after it', async () => {
  const { page, goTo, network, address } = await open()
  const create = () => page.getByRole('main').getByRole('button', { name: 'Create app' }).first()
  await goTo('Apps and channels')
  await create().waitFor()
  await goTo('Settings')
  const node = page.getByRole('table', { name: 'Nodes' }).getByText('This page')
  await node.waitFor()
  await page.getByText('This server keeps its data in PostgreSQL').waitFor()
  await statusOn(page).getByText('Server is running').waitFor()

  network.cut()
  const banner = page.getByRole('status').filter({ hasText: 'lost contact with its database' })
  await banner.getByText('Changes and check-ins cannot be saved').waitFor()
  await statusOn(page).getByText('Database connection lost').waitFor()
  await page.getByText('This list is from before the connection was lost').waitFor()
  expect(await node.isVisible()).toBe(true)
  await expectFits(page, 'lost-settings')
  await goTo('Apps and channels')
  await create().click()
  const dialog = page.getByRole('dialog', { name: 'Create an app' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Viewer')
  await dialog.getByRole('textbox', { name: 'Reference' }).fill('viewer')
  const save = dialog.getByRole('button', { name: 'Create app' })
  await save.click()
  await dialog.getByRole('alert').getByText('lost contact with its database').waitFor()
  await expectFits(page, 'lost-dialog')
  const second = await page.context().newPage()
  await second.goto(`${address}#/settings`)
  await second.getByRole('alert').getByText('lost contact with its database').waitFor()
  await expectFits(second, 'lost-opened')

  network.restore()
  await banner.waitFor({ state: 'detached' })
  await statusOn(page).getByText('Server is running').waitFor()
  await save.click()
  await page.getByRole('heading', { level: 1, name: 'Viewer' }).waitFor()
  // Nobody has asked the second page to try again.
  await second.getByRole('table', { name: 'Nodes' }).getByText('This page').waitFor()
})

test('who comes back from the identity provider to a server without database can try again', async () => {
  const port = await freePort()
  const { stop, ...provider } = await openProvider(`http://127.0.0.1:${port}/console/sign-on`)
  onTestFinished(stop)
  const {
    page: signedIn,
    goTo,
    network,
    address,
  } = await open(port, {
    PROVIDER: JSON.stringify(provider),
  })
  const context = await (await sharedBrowser()).newContext({ reducedMotion: 'reduce' })
  onTestFinished(() => context.close())
  context.setDefaultTimeout(60_000)
  await copyCode(signedIn.context(), context)
  const page = await context.newPage()
  await page.goto(address)
  await page.getByRole('button', { name: 'Sign in with 127.0.0.1' }).click()
  await page.getByPlaceholder('Enter any login').fill('stranger')
  await page.getByPlaceholder('and password').fill('any')
  await page.getByRole('button', { name: 'Sign-in' }).click()
  const back = page.getByRole('button', { name: 'Continue' })
  await back.waitFor()

  network.cut()
  await statusOn(signedIn).getByText('Database connection lost').waitFor()
  await back.click()
  await page.getByRole('heading', { name: 'You are not signed in' }).waitFor()
  await page.getByText('lost contact with its database').waitFor()
  await expectFits(page, 'lost-sign-on')
  await goTo('Settings')
  const backups = signedIn.getByRole('region', { name: 'Backups' })
  await backups.getByText('shown here when the server can be reached again').waitFor()
  // It is not known that the server creates any.
  expect(await backups.getByRole('button').count()).toBe(0)

  network.restore()
  await statusOn(signedIn).getByText('Server is running').waitFor()
  await page.getByRole('link', { name: 'Try again' }).click()
  await page.getByText('no account is linked to this identity').waitFor()
})
