import { afterAll, beforeAll, expect, test } from 'vitest'
import { openMailServer } from '../support/servers/mail-server.ts'
import { findings } from './support/axe.ts'
import { openInBrowser } from './support/browser.ts'
import type { ReleaseConsole } from './support/console.ts'

const NAME = 'updates.example.com'

let opened: ReleaseConsole
let smtp: Awaited<ReturnType<typeof openMailServer>>

beforeAll(async () => {
  smtp = await openMailServer()
  const { port } = smtp
  const mail = { host: '127.0.0.1', port, tls: 'none', login: null, from: 'tidegate@example.com' }
  const env = { MAIL: JSON.stringify(mail), CONSOLE_NAME: NAME, TRUST_PROXY: '192.0.2.1' }
  opened = await openInBrowser({ env, reducedMotion: true })
})
afterAll(async () => {
  await opened?.close()
  await smtp?.stop()
})

test('an invitation is mailed to the address that was entered', async () => {
  const { page } = opened
  await opened.goTo('People')
  await page.getByRole('button', { name: 'Invite person' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Mia')
  await dialog.getByRole('textbox', { name: 'E-mail address' }).fill('mia')
  await dialog.getByRole('button', { name: 'Create invitation' }).click()
  await dialog.getByText('E-mail address must have the form name@example.com.').waitFor()
  expect(await findings(opened)).toEqual([])
  await dialog.getByRole('textbox', { name: 'E-mail address' }).fill('mia@example.com')
  await dialog.getByRole('button', { name: 'Create invitation' }).click()
  await dialog.getByText('The link is also being sent to mia@example.com.').waitFor()
  const shown = await dialog.getByRole('region', { name: 'Invitation link' }).innerText()
  const [, token = ''] = shown.trim().split('#/link/')
  expect(token).not.toBe('')
  const [mail] = await smtp.until(1)
  expect(mail?.to).toEqual(['mia@example.com'])
  expect(mail?.source.replaceAll('=\r\n', '')).toContain(`https://${NAME}/console/#/link/${token}`)
  await dialog.getByRole('button', { name: 'I have copied it' }).click()
})

test('people set their own address in My account', async () => {
  const { page } = opened
  await page.getByRole('button', { name: 'Ada', exact: true }).click()
  await page.getByRole('menuitem', { name: 'My account' }).click()
  const section = page.getByRole('region', { name: 'Notifications' })
  const field = section.getByRole('textbox', { name: 'E-mail address' })
  await field.fill('ada@')
  await section.getByRole('button', { name: 'Save address' }).click()
  await section.getByText('E-mail address must have the form name@example.com.').waitFor()
  await field.fill('ada@example.com')
  await section.getByRole('button', { name: 'Save address' }).click()
  await page.getByText('Your e-mail address was saved.').waitFor()

  await opened.goTo('People')
  await page.getByRole('button', { name: 'Manage Ada' }).click()
  await page.getByRole('menuitem', { name: 'Change e-mail address' }).click()
  const form = page.getByRole('dialog', { name: 'E-mail address of Ada' })
  const stored = form.getByRole('textbox', { name: 'E-mail address' })
  await expect.poll(() => stored.inputValue()).toBe('ada@example.com')
})
