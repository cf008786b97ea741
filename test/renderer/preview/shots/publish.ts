import type { Page } from 'playwright'
import { dropFiles } from '../../../e2e/support/drop.ts'
import { chooseRollout } from '../../../e2e/support/steps.ts'
import { click, type Shot } from './shot.ts'

/** The form that publishes a release. */
export const PUBLISH: readonly Shot[] = [
  { name: 'publish', path: '/releases/publish?app=editor&channel=stable' },
  {
    name: 'publish-filled',
    path: '/releases/publish?app=editor&channel=stable',
    async prepare(page) {
      await page.getByLabel('Version').fill('2.4.0')
      for (const [index, platform] of ['darwin', 'macos'].entries()) {
        await click(page, 'Add artifact')
        const row = page.getByRole('group', { name: `Artifact ${index + 1}` })
        await row.getByLabel('Platform', { exact: true }).fill(platform)
        await row.getByLabel('Architecture', { exact: true }).fill('aarch64')
      }
      await click(page, 'Add expression')
      await click(page, 'Publish')
      await page.getByRole('group', { name: 'Artifact 2' }).scrollIntoViewIfNeeded()
    },
  },
  {
    name: 'publish-upload',
    path: '/releases/publish?app=editor&channel=stable',
    async prepare(page) {
      // The first piece has arrived, and the next one never does; the second file waits for the first.
      const progress = { ok: true, data: { offset: 60_000, file: null } }
      let pieces = 0
      await page.route('**/bridge/call', async (route) => {
        if (!route.request().postData()?.includes('"files.append"')) await route.fallback()
        else if (pieces++ === 0) await route.fulfill({ json: progress })
      })
      await dropFiles(page.getByRole('region', { name: 'Add files' }), [
        { name: 'Harbour-Editor-2.4.0-x86_64.AppImage', content: 'built'.repeat(20_000) },
        { name: 'Harbour-Editor-2.4.0-x64-setup.exe', content: 'setup'.repeat(20_000) },
      ])
      await page.getByText(/60\.0 kB of/).waitFor()
      await page.getByRole('group', { name: 'Artifact 1' }).scrollIntoViewIfNeeded()
    },
  },
  {
    name: 'publish-confirm',
    path: '/releases/publish?app=editor&channel=stable',
    async prepare(page) {
      await askToPublish(page)
      await page
        .getByRole('dialog')
        .getByText(/Full downloads/)
        .waitFor()
    },
  },
  {
    name: 'publish-preflight',
    path: '/releases/publish?app=editor&channel=stable',
    async prepare(page) {
      await askToPublish(page)
      const part = page.getByRole('dialog').getByRole('region', { name: 'Preflight' })
      await part.getByRole('button', { name: 'Run preflight' }).click()
      await part.getByRole('button', { name: 'Run again' }).waitFor()
      await part.evaluate((element) => element.scrollIntoView({ block: 'end' }))
    },
  },
  {
    name: 'publish-upload-failed',
    path: '/releases/publish?app=editor&channel=stable',
    async prepare(page) {
      const error = {
        code: 'invariant',
        refusal: { code: 'hosting_full', limit: 'quota', missingBytes: 48_000_000 },
      }
      await page.route('**/bridge/call', (route) =>
        route.request().postData()?.includes('"files.begin"')
          ? route.fulfill({ json: { ok: false, error } })
          : route.fallback(),
      )
      await dropFiles(page.getByRole('region', { name: 'Add files' }), [
        { name: 'Harbour-Editor-2.4.0-x86_64.AppImage', content: 'built' },
      ])
      await page.getByRole('button', { name: 'Resume upload' }).scrollIntoViewIfNeeded()
    },
  },
]

/** Fills in a release with a file, and asks to publish it. */
async function askToPublish(page: Page): Promise<void> {
  await page.getByLabel('Version').fill('2.6.0')
  await dropFiles(page.getByRole('region', { name: 'Add files' }), [
    { name: 'Harbour-Editor-2.6.0-x64-setup.exe', content: 'setup'.repeat(20_000) },
  ])
  await chooseRollout(page, 'Everyone at once')
  for (const what of ['Computing the SHA-512', 'Uploading your files']) {
    await page.getByText(what).waitFor({ state: 'hidden' })
  }
  await click(page, 'Publish')
}
