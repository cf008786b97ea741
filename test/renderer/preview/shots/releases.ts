import { below, click, clicked, type Shot } from './shot.ts'

/** Releases and drafts. */
export const RELEASES: readonly Shot[] = [
  { name: 'releases', path: '/releases' },
  { name: 'drafts', path: '/releases/drafts' },
  {
    name: 'draft',
    path: '/releases/drafts/editor/stable/2.5.0',
    prepare: (page) => page.getByText('Response to the update check').first().waitFor(),
  },
  clicked('draft-delete', '/releases/drafts/editor/stable/2.5.0', 'Delete draft'),
  { name: 'release', path: '/releases/editor/stable/2.3.0' },
  below('release-timeline', '/releases/editor/stable/2.3.0', 'Timeline'),
  {
    name: 'release-proof',
    path: '/releases/editor/stable/2.3.0',
    prepare: (page) =>
      page.getByRole('region', { name: 'Artifacts', exact: true }).scrollIntoViewIfNeeded(),
  },
  {
    name: 'release-preflight',
    path: '/releases/editor/stable/2.3.0',
    async prepare(page) {
      await click(page, 'Run preflight')
      await page.getByRole('button', { name: 'Run again' }).waitFor()
      await page.getByRole('region', { name: 'Preflight' }).scrollIntoViewIfNeeded()
    },
  },
  { name: 'release-waiting', path: '/releases/editor/nightly/2.7.0-nightly.3' },
  clicked('release-waiting-keep', '/releases/editor/nightly/2.7.0-nightly.3', 'Keep paused'),
  {
    name: 'release-stop',
    path: '/releases/editor/stable/2.3.0',
    async prepare(page) {
      await click(page, 'Stop 2.3.0')
      await page.getByText('2.3.0 is paused').waitFor()
    },
    async restore(page) {
      await page.getByRole('dialog').getByRole('button', { name: 'Undo stop' }).click()
      await page.getByText('Undone').waitFor()
    },
  },
  {
    name: 'release-raise',
    path: '/releases/editor/stable/2.3.0',
    async prepare(page) {
      await click(page, '50%')
      await click(page, 'Raise to 50%')
      await page.getByText('will be newly offered').waitFor()
    },
  },
  clicked('release-targets', '/releases/editor/beta/2.4.0-beta.2%2Bbuild.118', 'Edit targets'),
  { name: 'compare', path: '/releases/editor/stable/2.3.0/compare' },
  {
    name: 'compare-below',
    path: '/releases/editor/stable/2.3.0/compare',
    prepare: (page) => page.getByRole('region', { name: 'Release notes' }).scrollIntoViewIfNeeded(),
  },
  {
    name: 'compare-choose',
    path: '/releases/editor/beta/2.4.0-beta.2%2Bbuild.118/compare?with=stable%2F2.3.0',
    async prepare(page) {
      await page.getByRole('combobox', { name: 'Compare with' }).fill('2.')
      await page.getByRole('option', { name: '2.0.3 on stable' }).waitFor()
    },
  },
  { name: 'compare-first', path: '/releases/editor/stable/2.0.3/compare' },
  {
    name: 'release-platforms',
    path: '/releases/editor/stable/2.2.0',
    prepare: (page) => page.getByRole('region', { name: 'Release notes' }).scrollIntoViewIfNeeded(),
  },
  { name: 'release-rolled-back', path: '/releases/editor/stable/2.1.0' },
]
