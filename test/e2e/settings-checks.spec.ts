import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator } from 'playwright'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makePair } from '../support/builders/certificates.ts'
import { freePort, takePort } from '../support/processes/ports.ts'
import { secureStatus } from './support/certificate.ts'
import { openConsole, type ReleaseConsole, serverProcesses, startOver } from './support/console.ts'
import { watchDesktop } from './support/desktop.ts'

let opened: ReleaseConsole
let taken: { port: number; release(): Promise<void> } | undefined

async function showSettings(): Promise<void> {
  await opened.goTo('Settings')
  await opened.page.getByText('Server is running').waitFor()
}

const form = (name: string): Locator => opened.page.getByRole('form', { name, exact: true })
const field = (section: string, label: string) => form(section).getByLabel(label, { exact: true })
const save = (section: string) => form(section).getByRole('button', { name: /^Save and/ })

async function healthy(at: string): Promise<boolean> {
  const answer = await fetch(`${at}/healthz`).catch(() => undefined)
  return answer?.status === 200
}

/** Saves a section that is refused, and checks that the server went on meanwhile and the input stays. */
async function refused(section: string, input: Locator, message: string | RegExp): Promise<void> {
  const before = await serverProcesses(opened.app)
  const typed = await input.inputValue()
  await save(section).click()
  await form(section).getByText(message).waitFor()
  await expect.poll(() => input.evaluate((it) => it === document.activeElement)).toBe(true)
  expect(await input.inputValue()).toBe(typed)
  expect(await serverProcesses(opened.app)).toEqual(before)
  expect(await healthy(opened.address)).toBe(true)
}

describe('in the app of all', () => {
  beforeAll(async () => {
    opened = await openConsole({ reducedMotion: true })
  })
  beforeEach(async () => {
    await startOver(opened)
    await showSettings()
  })
  afterAll(() => opened?.close())

  test('a backup folder or certificate that cannot be used is refused before the restart', async () => {
    const { userData, page } = opened
    const file = join(userData, 'a file')
    writeFileSync(file, '')
    const folder = field('Data retention and backups', 'Backup folder')
    await folder.fill(join(file, 'backups'))
    await refused(
      'Data retention and backups',
      folder,
      /Backup folder cannot be used \(.*\)\. Choose/,
    )
    await form('Data retention and backups')
      .getByRole('button', { name: 'Discard changes' })
      .click()
    await expect.poll(() => folder.inputValue()).toBe('')

    await page.getByRole('switch', { name: 'Serve over HTTPS (TLS)' }).check()
    const certificate = field('Security', 'Certificate file')
    await certificate.fill(join(userData, 'gone.pem'))
    await field('Security', 'Private key file').fill(join(userData, 'gone.key'))
    await refused('Security', certificate, /^Certificate file cannot be read \(.*\)\. Check/)
  })

  test('proxy ranges with internet addresses are refused or need a confirmation', async () => {
    const security = form('Security')
    const proxies = field('Security', 'Trusted proxies')
    await proxies.fill('0.0.0.0/0')
    await refused('Security', proxies, /0\.0\.0\.0\/0 includes every address.*Enter the addresses/)
    await proxies.fill('128.0.0.0/1')
    const warning = /128\.0\.0\.0\/1 includes addresses on the internet.*fake their IP address/
    await security.getByText(warning).waitFor()
    await save('Security').click()
    const dialog = opened.page.getByRole('dialog', { name: 'Trust internet addresses as proxies?' })
    await dialog.getByText(warning).waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    expect(await proxies.inputValue()).toBe('128.0.0.0/1')
    await save('Security').click()
    await dialog.getByRole('button', { name: 'Save and trust them' }).click()
    await opened.page.getByText('Saved. The server is restarting').waitFor()
  })

  test('a number field reads digits only, and the first fault has the focus', async () => {
    const security = form('Security')
    const first = field('Security', 'Requests without a key')
    for (const [typed, message] of [
      ['0x10', /Requests without a key must be a whole number/],
      ['1e3', /Requests without a key must be a whole number/],
      ['+5', /Requests without a key must be a whole number/],
      ['1.5', /Requests without a key must be a whole number/],
      ['', /Requests without a key is required/],
      ['1000001', /Requests without a key must be 0 to 1000000/],
    ] as const) {
      await first.fill('')
      await first.pressSequentially(typed)
      await field('Security', 'Open connections').fill('x')
      await refused('Security', first, message)
      expect(await first.inputValue()).toBe(typed)
    }
    await security.getByRole('button', { name: 'Discard changes' }).click()
    await first.fill(' 7 ')
    await save('Security').click()
    await opened.page.getByText('Saved. The server is restarting').waitFor()
    await expect.poll(() => first.inputValue()).toBe('7')
  })
})

describe('in an app that begins anew', () => {
  beforeEach(async () => {
    opened = await openConsole({ reducedMotion: true })
    await showSettings()
  })
  afterEach(async () => {
    await opened?.close()
    await taken?.release()
    taken = undefined
  })

  test('an address that would stop the server from starting is refused before the restart', async () => {
    taken = await takePort()
    const port = field('Server', 'Port')
    await port.fill(`${taken.port}`)
    await refused('Server', port, `Port ${taken.port} is already in use. Stop the other program`)
    await form('Server').getByRole('radio', { name: 'One address' }).check()
    const host = field('Server', 'Address')
    await host.fill('203.0.113.9')
    await refused('Server', host, 'Address 203.0.113.9 is not an address of this computer. Enter')
    await host.fill('127.0.0.1')
    const free = await freePort()
    await port.fill(`${free}`)
    await save('Server').click()
    await expect.poll(() => healthy(`http://127.0.0.1:${free}`)).toBe(true)
  })

  test('a missing certificate is reported, whichever section is saved', async () => {
    const { certFile, keyFile } = await makePair(opened.userData, 'update')
    await opened.page.getByRole('switch', { name: 'Serve over HTTPS (TLS)' }).check()
    await field('Security', 'Certificate file').fill(certFile)
    await field('Security', 'Private key file').fill(keyFile)
    await save('Security').click()
    await opened.page.getByText('Saved. The server is restarting').waitFor()
    // The screen may still show the state of the server before, and the next one reads the file.
    await expect.poll(() => secureStatus(opened.address)).toBe(200)
    rmSync(certFile)
    await field('Server', 'Port').fill(`${await freePort()}`)
    await save('Server').click()
    await form('Server')
      .getByText(/Certificate file cannot be read \(.*\)\. Check/)
      .waitFor()
    await opened.page.getByText('Server is running').waitFor()
  })

  // Another program on the port of the server, at another address, shows only when the server starts.
  test.runIf(process.platform === 'linux')(
    'settings that fail only at the start are reverted, reported, and kept as a draft',
    async () => {
      const { address, page, app, userData } = opened
      const port = Number(new URL(address).port)
      taken = await takePort(port, '127.0.0.2')
      const shown = await watchDesktop(app)
      await form('Server').getByRole('radio', { name: 'All network interfaces' }).check()
      await save('Server').click()
      const notice = page
        .getByRole('alert')
        .filter({ hasText: 'The new settings were not applied' })
      await notice.getByText(`Port ${port} on 0.0.0.0 is already in use.`).waitFor()
      await notice.getByText('Not applied: Listen on').waitFor()
      await page.getByText('Server is running').waitFor()
      expect(await healthy(address)).toBe(true)
      await form('Server')
        .getByText(`Port ${port} is already in use. Stop the other program`)
        .waitFor()
      await expect
        .poll(() => shown.evaluate(({ notifications }) => notifications.map(({ title }) => title)))
        .toEqual(['The new settings were not applied'])
      const network = () => form('Server').getByRole('radio', { name: 'All network interfaces' })
      expect(await network().isChecked()).toBe(true)

      // Said on the other screens; the draft is there again, also after the app was started again.
      await opened.goTo('API keys')
      await notice.getByRole('link', { name: 'Open Settings' }).click()
      expect(await network().isChecked()).toBe(true)
      await opened.quit()
      opened = await openConsole({ userData, keepSettings: true, reducedMotion: true })
      await opened.page.getByText('Server is running').waitFor()
      expect(await healthy(address)).toBe(true)
      await opened.goTo('Settings')
      expect(await network().isChecked()).toBe(true)

      await taken.release()
      taken = undefined
      await save('Server').click()
      await opened.page.getByText('Saved. The server is restarting').waitFor()
      await opened.page.getByText('The new settings were not applied').waitFor({ state: 'hidden' })
      await expect.poll(() => healthy(`http://127.0.0.2:${port}`)).toBe(true)
    },
  )
})
