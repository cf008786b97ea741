import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventualValue } from '../support/eventually.ts'
import { startCli } from '../support/processes/cli.ts'
import { findings } from './support/axe.ts'
import { openInBrowser } from './support/browser.ts'
import type { ReleaseConsole } from './support/console.ts'

const home = mkdtempSync(join(tmpdir(), 'tidegate-command-line-'))
let opened: ReleaseConsole

beforeAll(async () => {
  opened = await openInBrowser({ reducedMotion: true })
})
afterAll(async () => {
  await opened?.close()
  rmSync(home, { recursive: true, force: true })
})

/** Starts to sign in on the command line, and returns the code and the address that it shows. */
async function startLogin() {
  const env = { XDG_CONFIG_HOME: home }
  const { ended, output } = startCli(['login', opened.address, '--computer', 'build-7'], env)
  const shown = (pattern: RegExp) => eventualValue(() => pattern.exec(output.stderr)?.[1])
  return { ended, address: await shown(/Open (\S+)/), code: await shown(/code ([A-Z-]{9}),/) }
}

async function enter(code: string): Promise<void> {
  await opened.page.getByRole('textbox', { name: 'Code' }).fill(code)
  await opened.page.getByRole('button', { name: 'Continue' }).click()
}

test('a person confirms a sign-in of the command line, which then acts as them', async () => {
  const { page, address } = opened
  const login = await startLogin()
  await page.goto(login.address)
  await page.getByRole('heading', { level: 1, name: 'Sign in a command line' }).waitFor()
  await enter('BBBB-BBBB')
  await page.getByText('this code is wrong, expired or already used', { exact: false }).waitFor()
  await enter(login.code.toLowerCase())
  await page.getByRole('heading', { level: 2, name: 'Sign in “build-7”?' }).waitFor()
  const details = page.getByRole('table', { name: 'Details of the sign-in' })
  await expect.poll(() => details.innerText()).toContain(login.code)
  expect(await details.innerText()).toContain('127.0.0.1')
  expect(await details.innerText()).toContain('except managing accounts')
  expect(await findings(opened)).toEqual([])
  await page.getByRole('button', { name: 'Confirm sign-in' }).click()
  await page.getByText('Sign-in confirmed').waitFor()
  expect(await login.ended).toMatchObject({ code: 0 })

  const env = { XDG_CONFIG_HOME: home, TIDEGATE_SERVER: address }
  const who = await startCli(['whoami'], env).ended
  expect(who.stdout).toBe(`Ada on ${address}: administrator on the server\n`)
  expect((await startCli(['app', 'create', 'editor'], env).ended).code).toBe(0)
})

test('the audit log names the command line', async () => {
  await opened.goTo('Audit log')
  const created = opened.page.getByRole('row', { name: /Created app editor/ }).first()
  await created.getByText('Command line, 127.0.0.1').waitFor()
})

test('the session is listed under My account, and ended there', async () => {
  const { page, address } = opened
  await page.getByRole('button', { name: 'Ada', exact: true }).click()
  await page.getByRole('menuitem', { name: 'My account' }).click()
  const session = page.getByRole('row', { name: /Command line on build-7/ })
  await session.getByRole('button', { name: 'End the session' }).click()
  await session.waitFor({ state: 'detached' })
  const env = { XDG_CONFIG_HOME: home, TIDEGATE_SERVER: address }
  expect(await startCli(['app', 'list'], env).ended).toMatchObject({ code: 5, stdout: '' })
})

test('a person denies a sign-in', async () => {
  const { page } = opened
  const login = await startLogin()
  await page.goto(login.address)
  await enter(login.code)
  await page.getByRole('button', { name: 'Deny' }).click()
  await page.getByText('Sign-in denied').waitFor()
  const { code, stderr } = await login.ended
  expect(code).toBe(1)
  expect(stderr).toContain('the sign-in was denied')
})
