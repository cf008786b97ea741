import { resolve } from 'node:path'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Access, FULL_ACCESS } from '../../src/server/use-cases/access.ts'
import { includesRole, Role } from '../../src/shared/access/role.ts'
import { type Backend, startBackend } from '../renderer/preview/backend.ts'
import { launchBrowser } from '../renderer/preview/page-build.ts'
import { installBridge, servePage } from '../renderer/preview/page-server.ts'
import { seed, WANDERER } from '../renderer/preview/seed.ts'
import { goToAddress } from './support/release-console.ts'

/** What changes something, by the screen that has it, and the lowest role in the app `editor` that sees it. */
const CONTROLS: readonly (readonly [path: string, needs: Role, names: readonly RegExp[]])[] = [
  ['/releases', 'release_manager', [/^Publish/]],
  ['/releases/publish?app=editor&channel=stable', 'release_manager', [/^Publish/]],
  [
    '/releases/editor/stable/2.3.0',
    'release_manager',
    [/^Stop/, /^Roll back/, /^Change rollout/, /^Edit targets/, /^Copy to/],
  ],
  [`/devices/editor/${WANDERER}`, 'administrator', [/^Forget/]],
  ['/apps/editor', 'administrator', [/^Manage$/, /^Create channel/, /^Manage channel stable/]],
  ['/keys', 'release_manager', [/^Create key/, /^Revoke key status page/]],
]
/** The same for the server itself. */
const SERVER_CONTROLS: typeof CONTROLS = [
  ['/apps', 'administrator', [/^Create app/]],
  ['/keys', 'administrator', [/^Revoke key release machine/]],
  ['/people', 'administrator', [/^Invite person/]],
  ['/settings', 'administrator', [/^Back up now/]],
]

/** The role in the middle; with `--all`, each of them. */
const ROLES: readonly Role[] = process.env.E2E_ALL ? Role.options : ['release_manager']

let backend: Backend
let browser: Browser
let served: Awaited<ReturnType<typeof servePage>>

beforeAll(async () => {
  backend = await startBackend(undefined, { storesFiles: true })
  await seed(backend)
  served = await servePage(resolve('out/renderer'), backend.choose)
  browser = await launchBrowser()
})

afterAll(async () => {
  await browser.close()
  served.close()
  await backend.stop()
})

async function openAs(access: Access): Promise<Page> {
  backend.actAs(access)
  const page = await browser.newPage()
  await page.addInitScript(installBridge)
  return page
}

/** Opens a screen and waits until what is loaded is shown. */
async function open(page: Page, path: string): Promise<void> {
  if (page.url() === 'about:blank') {
    const answered = page.waitForResponse((response) =>
      (response.request().postData() ?? '').includes('session.me'),
    )
    await page.goto(`${served.address}#${path}`)
    await answered
  } else {
    const before = await page.title()
    await goToAddress(page, path)
    // Every screen names the window.
    await page.waitForFunction((title) => document.title !== title, before)
  }
  await page.getByRole('heading', { level: 1 }).waitFor()
  await expect.poll(() => page.locator('[aria-busy=true]').count()).toBe(0)
}

const inEditor = (role: Role): Access => {
  const { catalog } = backend.running.consoleContext
  const key = catalog.snapshot.appByName.get('editor')?.record.key
  return { server: null, apps: new Map([[key ?? 0, role]]) }
}

/** Whether each of the controls is on the screen. */
async function shownOn(page: Page, names: readonly RegExp[]): Promise<boolean[]> {
  const main = page.getByRole('main')
  const isShown = async (name: RegExp) => {
    const control = main.getByRole('button', { name }).or(main.getByRole('link', { name }))
    return (await control.count()) > 0
  }
  return await Promise.all(names.map(isShown))
}

async function expectControls(access: Access, controls: typeof CONTROLS, roles: readonly Role[]) {
  const page = await openAs(access)
  for (const [path, needs, names] of controls) {
    await open(page, path)
    const expected = names.map(() => roles.includes(needs))
    const message = `${path} ${names}`
    await expect.poll(() => shownOn(page, names), { message }).toEqual(expected)
  }
  await page.close()
}

test('who may do everything sees everything', async () => {
  await expectControls(FULL_ACCESS, [...CONTROLS, ...SERVER_CONTROLS], Role.options)
})

test.each(ROLES)('in an app, %s sees what the role includes', async (role) => {
  const included = Role.options.filter((each) => includesRole(role, each))
  await expectControls(inEditor(role), CONTROLS, included)
  await expectControls(inEditor(role), SERVER_CONTROLS, [])
})

test('a viewer of the server sees nothing that changes anything', async () => {
  const access: Access = { server: 'viewer', apps: new Map() }
  await expectControls(access, [...CONTROLS, ...SERVER_CONTROLS], [])
})

test('without a role there is one screen that says what to do', async () => {
  const page = await openAs({ server: null, apps: new Map() })
  await open(page, '/')
  await page.getByRole('heading', { name: 'No access yet' }).waitFor()
  const places = page.getByRole('navigation', { name: 'Screens' }).getByRole('link')
  await expect.poll(() => places.allInnerTexts()).toEqual(['Overview', 'Settings'])
  await page.close()
})

test('the desktop app has people, and no account of its own', async () => {
  const page = await openAs(FULL_ACCESS)
  await open(page, '/people')
  await page.getByRole('table', { name: 'Accounts' }).getByText('Mia').waitFor()
  await open(page, '/account')
  await page.getByRole('heading', { name: 'Page not found' }).waitFor()
  await page.close()
})

test('a key of a release manager is for an app where they have the role', async () => {
  const page = await openAs(inEditor('release_manager'))
  await open(page, '/keys')
  await page.getByRole('button', { name: 'Create key' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('CI')
  await dialog.getByLabel('Read').check()
  const apps = dialog.getByRole('combobox', { name: 'App' })
  await apps.click()
  await expect
    .poll(() => page.getByRole('option').allInnerTexts())
    .toEqual(['Harbour Editor (editor)'])
  await page.keyboard.press('Escape')
  await dialog.getByRole('button', { name: 'Create key' }).click()
  await dialog.getByText('Required').waitFor()
  await apps.click()
  await page.getByRole('option', { name: 'Harbour Editor' }).click()
  await dialog.getByRole('button', { name: 'Create key' }).click()
  await page.getByText('The key is shown only once').waitFor()
  await page.close()
})
