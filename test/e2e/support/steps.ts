import type { Locator, Page } from 'playwright'
import { mutate, releaseBody, SHA512 } from './api.ts'
import type { ReleaseConsole } from './console.ts'
import { goToAddress } from './release-console.ts'

/** The app that the specs release. */
export const EDITOR = { name: 'Editor', ref: 'editor' }

/** Creates the app as its dialog does, without it; its page is open afterwards. */
export async function createApp(
  { page }: Pick<ReleaseConsole, 'page'>,
  app = EDITOR,
): Promise<void> {
  await mutate({ page }, 'apps.create', app)
  await openPage(page, `#/apps/${app.ref}`, app.name)
}

/** Fills in the dialog that creates an app. */
export async function fillNewApp(page: Page, { name, ref } = EDITOR): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Create an app' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill(name)
  await dialog.getByRole('textbox', { name: 'Reference' }).fill(ref)
  await dialog.getByRole('button', { name: 'Create app' }).click()
  await page.getByRole('heading', { level: 1, name }).waitFor()
}

/** Opens the publish form from the list of releases. */
export async function openPublishForm({
  page,
  goTo,
}: Pick<ReleaseConsole, 'page' | 'goTo'>): Promise<void> {
  await goTo('Releases')
  await page.getByRole('main').getByRole('link', { name: 'Publish a release' }).first().click()
  await page.getByRole('heading', { level: 1, name: 'Publish a release' }).waitFor()
}

/** Fills in the publish form with one artifact, for Linux. */
export async function fillRelease(page: Page, version: string, rolloutPct = 100): Promise<void> {
  await page.getByRole('textbox', { name: 'Version' }).fill(version)
  await fillArtifact(page, version)
  await chooseRollout(page, rolloutPct === 100 ? 'Everyone at once' : 'By hand')
  if (rolloutPct !== 100) {
    const usual = page.getByRole('group', { name: 'Presets' })
    await usual.getByRole('button', { name: `${rolloutPct}%`, exact: true }).click()
  }
}

/** Adds an artifact to the publish form, for Linux. */
export async function fillArtifact(page: Page, version: string): Promise<void> {
  await page.getByRole('button', { name: 'Add artifact' }).click()
  const artifact = page.getByRole('group', { name: 'Artifact 1' })
  // Fields that suggest values are comboboxes to some versions of the browser.
  await artifact.getByLabel('Platform', { exact: true }).fill('linux')
  await artifact.getByLabel('Architecture', { exact: true }).fill('x86_64')
  await artifact
    .getByLabel('URL', { exact: true })
    .fill(`https://downloads.example.com/${version}/editor.bin`)
  await artifact.getByLabel('SHA-512').fill(SHA512)
}

/** Chooses in the publish form how the release is rolled out, also if it is checked so far: a default can change. */
export async function chooseRollout(page: Page, mode: string): Promise<void> {
  const choice = page
    .getByRole('radiogroup', { name: 'How to roll out' })
    .getByRole('radio', { name: mode })
  await choice.click()
  await choice.and(page.locator(':checked')).waitFor()
}

/** Sends the form off and says yes; the release's page is open afterwards. */
export async function confirmPublish(page: Page, version: string): Promise<void> {
  // Until then the form only says what it waits for.
  await page.getByText('Computing the SHA-512 of your files').waitFor({ state: 'hidden' })
  await page.getByRole('form', { name: 'Release' }).getByRole('button', { name: 'Publish' }).click()
  const dialog = page.getByRole('dialog', { name: `Publish ${version}` })
  await dialog.getByRole('button', { name: `Publish ${version}` }).click()
  await page.getByRole('heading', { level: 1, name: version }).waitFor()
}

/** Publishes a release as the publish form does, without it; the release's page is open afterwards. */
export async function publish(
  { page }: Pick<ReleaseConsole, 'page'>,
  version: string,
  rolloutPct = 100,
): Promise<void> {
  await mutate({ page }, 'releases.publish', releaseBody(version, { rolloutPct }))
  await openPage(page, `#/releases/${EDITOR.ref}/stable/${version}`, version)
}

/** Opens a page by its address, and waits for its heading. */
async function openPage(page: Page, address: string, heading: string): Promise<void> {
  await goToAddress(page, address)
  await page.getByRole('heading', { level: 1, name: heading }).waitFor()
}

/** A field of a condition by its label; the list of its suggestions has the same one. */
export function conditionField(page: Page, name: string | RegExp): Locator {
  return page.getByLabel(name).and(page.locator('input'))
}
