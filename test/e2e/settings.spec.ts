import { writeFileSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import type { Locator } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makePair } from '../support/builders/certificates.ts'
import { freePort } from '../support/processes/ports.ts'
import { findings } from './support/axe.ts'
import { secureStatus } from './support/certificate.ts'
import { openConsole, type ReleaseConsole } from './support/console.ts'
import { saveSection } from './support/settings.ts'
import { createApp, publish } from './support/steps.ts'

let opened: ReleaseConsole
let address: string
let userData: string

async function open(): Promise<void> {
  opened = await openConsole()
  ;({ address, userData } = opened)
}

/** Quits the app and starts it again with what it has kept. */
async function startAgain(): Promise<void> {
  await opened.quit()
  opened = await openConsole({ userData, keepSettings: true })
}

const form = (name: string): Locator => opened.page.getByRole('form', { name, exact: true })

const save = (section: string) => saveSection(opened, section)

async function healthy(at: string): Promise<boolean> {
  const answer = await fetch(`${at}/healthz`).catch(() => undefined)
  return answer?.status === 200
}

describe('in an app that starts again', () => {
  beforeAll(open)
  afterAll(() => opened?.close())

  test('saved settings apply, also after a restart of the app; leaving unsaved asks; TLS is checked before it is saved', async () => {
    const { page } = opened
    await opened.goTo('Settings')
    const rules = () => form('Data retention and backups')
    await rules().getByLabel('Keep check-ins').fill('30')
    await page.getByRole('link', { name: 'API keys' }).click()
    const leave = page.getByRole('dialog', { name: 'Leave without saving?' })
    await leave.getByRole('button', { name: 'Cancel' }).click()
    await rules().getByLabel('Back up every').fill('6')
    await save('Data retention and backups')
    await page.getByRole('radiogroup', { name: 'Theme' }).getByText('Dark').click()
    await page.locator('html[data-mantine-color-scheme=dark]').waitFor()

    const served = await listenEverywhere()
    await serveSecurely(served)

    await startAgain()
    await opened.page.locator('html[data-mantine-color-scheme=dark]').waitFor()
    await expect.poll(() => secureStatus(served)).toBe(200)
    await opened.goTo('Settings')
    expect(await rules().getByLabel('Keep check-ins').inputValue()).toBe('30')
    expect(await rules().getByLabel('Back up every').inputValue()).toBe('6')
  })

  /** Has the server listen on another port and on every network. Returns its address. */
  async function listenEverywhere(): Promise<string> {
    const port = await freePort()
    await form('Server').getByLabel('Port').fill(String(port))
    await form('Server').getByRole('radio', { name: 'All network interfaces' }).check()
    await form('Server').getByText('Anyone on the network can check for updates').waitFor()
    await save('Server')
    await expect.poll(() => healthy(`http://127.0.0.1:${port}`)).toBe(true)
    expect(await healthy(address)).toBe(false)
    const lan = Object.values(networkInterfaces())
      .flatMap((found = []) => found)
      .find(({ family, internal }) => family === 'IPv4' && !internal)
    if (lan !== undefined) expect(await healthy(`http://${lan.address}:${port}`)).toBe(true)
    return `http://127.0.0.1:${port}`
  }

  /** Has the server serve over TLS, after a key that is not of the certificate was refused. */
  async function serveSecurely(at: string): Promise<void> {
    const { certFile, keyFile } = await makePair(userData, 'update')
    const { keyFile: other } = await makePair(userData, 'other')
    const security = form('Security')
    await security.getByRole('switch', { name: 'Serve over HTTPS (TLS)' }).check()
    await security.getByLabel('Certificate file', { exact: true }).fill(certFile)
    await security.getByLabel('Private key file', { exact: true }).fill(other)
    await security.getByRole('button', { name: /^Save and/ }).click()
    await security.getByText(/Private key file does not match the certificate/).waitFor()
    await expect.poll(() => healthy(at)).toBe(true)
    // What the paths are is said once they are complete, not of what is typed so far.
    const statuses = await security
      .getByRole('status')
      .first()
      .evaluateHandle((status) => {
        const texts: (string | null)[] = []
        const note = () => texts.push(status.textContent)
        new MutationObserver(note).observe(status, {
          childList: true,
          characterData: true,
          subtree: true,
        })
        return texts
      })
    const key = security.getByLabel('Private key file', { exact: true })
    await key.fill(keyFile.slice(0, -3))
    await key.pressSequentially(keyFile.slice(-3), { delay: 350 })
    await key.blur()
    await security.getByText(/update\.test.*expires/).waitFor()
    expect((await statuses.jsonValue()).filter((text) => text?.includes('cannot be read'))).toEqual(
      [],
    )
    await save('Security')
    await expect.poll(() => secureStatus(at)).toBe(200)
  }
})

describe('in one app', () => {
  beforeAll(open)
  afterAll(() => opened?.close())

  test('the screen has no serious finding in either theme', async () => {
    await opened.goTo('Settings')
    await opened.page.getByText('Server is running').waitFor()
    for (const name of ['Light', 'Dark'] as const) {
      await opened.page.getByRole('radiogroup', { name: 'Theme' }).getByText(name).click()
      const scheme = name.toLowerCase()
      await opened.page.locator(`html[data-mantine-color-scheme=${scheme}]`).waitFor()
      expect(await findings(opened)).toEqual([])
    }
  })

  test('a backup restores the data; a rejected backup changes nothing', async () => {
    await createApp(opened)
    await publish(opened, '1.0.0')
    await opened.goTo('Settings')
    await opened.page.getByRole('button', { name: 'Back up now' }).click()
    await opened.page.getByRole('button', { name: /^Restore backup .*\.db/ }).waitFor()
    await publish(opened, '2.0.0')
    const versions = async () => {
      const answer = await fetch(`${address}/feed/editor/stable`)
      return JSON.stringify(await answer.json())
    }
    expect(await versions()).toContain('2.0.0')

    const damaged = join(userData, 'damaged.db')
    writeFileSync(damaged, 'not a database, and long enough to be looked at as one'.repeat(40))
    await opened.app.evaluate(({ dialog }, file) => {
      dialog.showOpenDialog = async () => ({ canceled: false, filePaths: [file] })
    }, damaged)
    await opened.goTo('Settings')
    const { page } = opened
    await page.getByRole('button', { name: 'Restore from file…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Restore backup' })
    await dialog.getByText(/is not a database/).waitFor()
    await dialog.getByRole('button', { name: 'Close', exact: true }).last().click()
    expect(await versions()).toContain('2.0.0')

    // By keyboard alone.
    await page.getByRole('button', { name: /^Restore backup .*\.db/ }).focus()
    await page.keyboard.press('Enter')
    await dialog.getByText(/1 release is not in the backup and will be removed/).waitFor()
    await dialog.getByLabel('Type restore to confirm').focus()
    await page.keyboard.type('restore')
    await page.keyboard.press('Enter')
    await page.getByRole('region', { name: 'Backups' }).getByText('Backup restored').waitFor()
    await page.getByText('Server is running').waitFor()
    await expect.poll(versions).not.toContain('2.0.0')
    expect(await versions()).toContain('1.0.0')
  })

  // The last: few requests pass after it.
  test('limits and proxies apply, and invalid values are reported', async () => {
    await opened.goTo('Settings')
    const security = form('Security')
    await security.getByLabel('Requests without a key').fill('2')
    await security.getByLabel('Trusted proxies').fill('loopback\n10.0.0.0/99')
    await security.getByRole('button', { name: /^Save and/ }).click()
    await security.getByText(/10\.0\.0\.0\/99 must be an address, a range/).waitFor()
    await security.getByLabel('Trusted proxies').fill('loopback\n10.0.0.0/8')
    await save('Security')
    const feed = async (caller: string) =>
      (await fetch(`${address}/feed/none/stable`, { headers: { 'X-Forwarded-For': caller } }))
        .status
    // The server before may answer until the new one does. Every caller behind the same proxy has a count of its own.
    let callers = 0
    const three = async () => {
      const caller = `192.0.2.${++callers}`
      try {
        return [await feed(caller), await feed(caller), await feed(caller)]
      } catch {
        return 'not answering'
      }
    }
    await expect.poll(three).toEqual([404, 404, 429])
    expect(await feed('198.51.100.1')).toBe(404)
  })
})
