import { expect, test } from 'vitest'
import { publishByApi } from './support/api.ts'
import { sharedBrowser } from './support/browser.ts'
import { checkAll } from './support/device.ts'
import { expectFits } from './support/looks.ts'
import { openForAll } from './support/open-for-all.ts'
import { createApp } from './support/steps.ts'

const opened = openForAll()

test('a screen without an account shows rollouts by a link, until its key is revoked', async () => {
  const { page, goTo, address } = opened
  await createApp(opened)
  await publishByApi(opened, '1.0.0')
  await checkAll(address, '1.0.0', 3)
  await publishByApi(opened, '1.1.0', { rolloutPct: 25 })
  await goTo('API keys')
  const main = page.getByRole('main')
  await main.getByRole('button', { name: 'Create key' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Name' }).fill('office')
  await dialog.getByRole('checkbox', { name: 'Read' }).check()
  await dialog.getByRole('checkbox', { name: 'Wall view' }).check()
  // It comes with nothing else.
  expect(await dialog.getByRole('checkbox', { name: 'Read' }).isChecked()).toBe(false)
  await dialog.getByRole('button', { name: 'Create key' }).click()
  await dialog.getByText('Copy the link of the wall view').waitFor()
  const link = /http\S+#\/wall\/[\w-]+/.exec(await dialog.innerText())?.[0] ?? ''
  await dialog.getByRole('button', { name: 'I have copied it' }).click()

  const context = await (await sharedBrowser()).newContext({ reducedMotion: 'reduce' })
  const screen = await context.newPage()
  await screen.clock.install()
  await screen.goto(link)
  const app = screen.getByRole('region', { name: 'Editor' })
  await app.getByText('1.1.0').waitFor()
  await app.getByText('25% · adoption 0%').waitFor()
  await app.getByText('100% up to date').waitFor()
  await expectFits(screen, 'wall')
  // What it shows stays while the server is away, and says so.
  await screen.route('**/console/wall', (route) => route.abort())
  await screen.clock.runFor(11_000)
  await screen.getByText('It could not be refreshed since.').waitFor()
  await app.getByText('1.1.0').waitFor()
  await screen.unrouteAll()
  // A server of another version answers what this page does not know, and has a page that does.
  await screen.route(
    '**/console/wall',
    async (route) => {
      const response = await route.fetch()
      await route.fulfill({ json: { ...(await response.json()), server: '99.0.0', added: 1 } })
    },
    { times: 1 },
  )
  const loaded = screen.waitForEvent('load')
  await screen.clock.runFor(11_000)
  await loaded
  await app.getByText('1.1.0').waitFor()

  await main.getByRole('button', { name: 'Revoke key office' }).click()
  await dialog.getByRole('button', { name: 'Revoke key' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await screen.clock.runFor(11_000)
  await screen.getByText('This link is no longer valid').waitFor()
  await context.close()
})
