import { join } from 'node:path'
import type { BrowserContext, Page } from 'playwright'
import { describe, expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../support/builders/folders.ts'
import { networkAddress } from '../support/builders/network.ts'
import { freePort } from '../support/processes/ports.ts'
import { PROXIED, startDocumentedProxy } from '../support/servers/documented-proxy.ts'
import { needs } from '../support/tools.ts'
import { PERSON, serveConsole, sharedBrowser } from './support/browser.ts'
import { goToScreen } from './support/release-console.ts'
import { fillNewApp } from './support/steps.ts'

/** A browser that nobody has used, and that accepts the certificate. */
async function openBrowser(): Promise<{ context: BrowserContext; page: Page }> {
  const context = await (await sharedBrowser()).newContext({
    ignoreHTTPSErrors: true,
    reducedMotion: 'reduce',
  })
  onTestFinished(() => context.close())
  context.setDefaultTimeout(60_000)
  return { context, page: await context.newPage() }
}

describe.each(PROXIED)('behind %s at "%s/"', (proxy, prefix) => {
  test('what one person changes another sees live', needs(proxy), async () => {
    const name = networkAddress()
    const env = { CONSOLE_NAME: name, TRUST_PROXY: 'loopback' }
    const port = await freePort()
    const served = await serveConsole(join(temporaryFolder(), 'data'), port, env)
    onTestFinished(() => served.stop())
    const server = `http://127.0.0.1:${port}`
    const site = `${await startDocumentedProxy(proxy, { prefix, server, name })}${prefix}`

    const first = await openBrowser()
    await first.page.goto(`${site}/console/#/link/${served.link}`)
    await first.page.getByLabel('Name').fill(PERSON.name)
    await first.page.getByRole('textbox', { name: 'New password' }).fill(PERSON.password)
    await first.page.getByRole('button', { name: 'Create account' }).click()
    await first.page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    const cookies = (await first.context.cookies()).map((cookie) => cookie.name)
    expect(cookies.toSorted()).toEqual(['__Host-tidegate-browser', '__Host-tidegate-session'])

    // The address of the server leads to the console, also under a path.
    const second = await openBrowser()
    await second.page.goto(`${site}/`)
    await second.page.getByLabel('Name').fill(PERSON.name)
    await second.page.getByLabel('Password', { exact: true }).fill(PERSON.password)
    const connected = second.page.waitForEvent('websocket')
    await second.page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await second.page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    expect((await connected).url()).toBe(`${site.replace('https', 'wss')}/console/live`)
    await goToScreen(second.page, 'Apps and channels')
    await second.page.getByText('No apps').first().waitFor()

    await goToScreen(first.page, 'Apps and channels')
    await first.page.getByRole('main').getByRole('button', { name: 'Create app' }).click()
    await fillNewApp(first.page)
    await second.page.getByRole('main').getByText('Editor').first().waitFor()
  })
})
