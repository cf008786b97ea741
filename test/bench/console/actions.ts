import { setTimeout as sleep } from 'node:timers/promises'
import type { Locator, Page } from 'playwright'
import { picker } from '../../e2e/support/picker.ts'
import { LARGE } from './catalog.ts'
import { during, type Felt, timeUntil, type } from './long-tasks.ts'

/** Something that a person does. */
export interface Action {
  readonly what: string
  do(page: Page): Promise<Felt>
}

/** Milliseconds that somebody looks at a screen. */
const LOOK = 10_000
/** Where nothing of the other screens is shown. */
const ELSEWHERE = { address: '/settings', title: 'Settings', text: 'Server' }
const RELEASE = `/releases/${LARGE.app}/stable/${LARGE.version}`
/** The form that is filled in with the large release. */
const FORM = {
  address: `/releases/publish?app=${LARGE.app}&channel=beta&from=stable&version=${LARGE.version}`,
  title: 'Publish a release',
  text: `Artifact ${LARGE.artifacts}`,
}

const SCREENS = {
  overview: { address: '/', title: 'Overview', text: 'Product 000' },
  fleet: { address: '/fleet', title: 'Fleet', text: 'Live check-ins' },
  releases: { address: '/releases', title: 'Releases', text: LARGE.version },
  devices: { address: '/devices', title: 'Devices', text: 'device-00' },
  apps: { address: '/apps', title: 'Apps and channels', text: 'Product 000' },
  app: { address: `/apps/${LARGE.app}`, title: 'Product 000', text: 'beta' },
  keys: { address: '/keys', title: 'API keys', text: 'key' },
  audit: { address: '/audit', title: 'Audit log', text: LARGE.app },
  publish: { address: '/releases/publish', title: 'Publish a release', text: 'Artifacts' },
}

type Screen = typeof ELSEWHERE

/** Opens every screen from another one. */
export const OPENING: readonly Action[] = [
  ...Object.values(SCREENS).map((screen) => opening(screen.title, screen)),
  opening(`${FORM.title}, ${LARGE.artifacts} artifacts`, FORM),
  opening('release, first line of 58 KB', releaseUntil(LARGE.firstLine)),
  opening('release, last line of 58 KB', releaseUntil(LARGE.lastLine)),
  previewing('preview, first line of 58 KB', LARGE.firstLine),
  previewing('preview, last line of 58 KB', LARGE.lastLine),
]

/** Types into what takes text, on the screen that it stands on. */
export const TYPING: readonly Action[] = [
  typing('search, overview', SCREENS.overview, search, 'product 117'),
  typing('search, apps', SCREENS.apps, search, 'product 117'),
  typing('search, releases', SCREENS.releases, search, 'app-117'),
  typing('search, devices', SCREENS.devices, search, 'device-00'),
  typing('search, audit log', SCREENS.audit, search, 'app-117'),
  typing('app picker, releases', SCREENS.releases, (page) => picker(page, 'App'), 'product 117'),
  typing('app picker, form', FORM, (page) => picker(page, 'App'), 'product 117'),
  typing('palette', SCREENS.overview, openPalette, 'product 117'),
  typing(
    'version, form',
    FORM,
    (page) => page.getByRole('textbox', { name: 'Version' }),
    '.4-beta.5',
  ),
  typing('notes of 58 KB, form', FORM, notesField, ' and one more thing'),
  typing('URL of an artifact, form', FORM, urlField, '?mirror=eu'),
]

/** Looks at a screen while devices check in. */
export const LOOKING: readonly Action[] = [
  SCREENS.overview,
  SCREENS.apps,
  SCREENS.releases,
  SCREENS.fleet,
  SCREENS.devices,
].map((screen) => ({
  what: screen.title,
  async do(page) {
    await open(page, screen)
    return await during(page, () => sleep(LOOK))
  },
}))

function opening(what: string, screen: Screen): Action {
  return {
    what,
    async do(page) {
      await open(page, ELSEWHERE)
      return await during(page, () => open(page, screen))
    },
  }
}

function releaseUntil(line: string): Screen {
  return { address: RELEASE, title: LARGE.version, text: line }
}

function previewing(what: string, line: string): Action {
  return {
    what,
    async do(page) {
      await open(page, ELSEWHERE)
      await open(page, FORM)
      const click = `document.querySelector('input[type=radio][value=preview]').click()`
      const preview = `document.querySelector('section[aria-label="Preview of the release notes"]')`
      return await during(page, () =>
        timeUntil(page, click, `${preview}?.textContent.includes(${JSON.stringify(line)})`),
      )
    },
  }
}

function typing(
  what: string,
  screen: Screen,
  fieldOf: (page: Page) => Locator | Promise<Locator>,
  text: string,
): Action {
  return {
    what,
    async do(page) {
      await open(page, ELSEWHERE)
      await open(page, screen)
      const field = await fieldOf(page)
      await field.focus()
      await page.keyboard.press('Control+End')
      const felt = await during(page, () => type(page, text))
      await page.keyboard.press('Escape')
      return felt
    },
  }
}

/** Like a link from elsewhere: a form that is filled in lets it pass without a question. */
function open(page: Page, { address, title, text }: Screen): Promise<number> {
  const isThere = `document.querySelector('h1')?.textContent.includes(${JSON.stringify(title)}) &&
    document.querySelector('main').textContent.includes(${JSON.stringify(text)})`
  return timeUntil(page, `location.hash = ${JSON.stringify(`#${address}`)}`, isThere)
}

async function openPalette(page: Page): Promise<Locator> {
  await page.keyboard.press('Control+k')
  return page.getByRole('combobox', { name: 'Command palette' })
}

function search(page: Page): Locator {
  return page.getByRole('main').getByRole('searchbox', { name: 'Search' })
}

function notesField(page: Page): Locator {
  return page.getByRole('textbox', { name: 'Release notes' })
}

function urlField(page: Page): Locator {
  return page
    .getByRole('group', { name: 'Artifact 7', exact: true })
    .getByLabel('URL', { exact: true })
}
