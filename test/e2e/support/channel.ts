import { mutate, publishByApi } from './api.ts'
import type { ReleaseConsole } from './console.ts'
import { EDITOR } from './steps.ts'

/** Creates a channel of the app, so that a test has releases of its own. */
export async function createChannel(opened: ReleaseConsole, name: string): Promise<void> {
  await mutate(opened, 'channels.create', { app: EDITOR.ref, name })
}

/** Opens the page of a release by its address. */
export async function openRelease(
  { page, goTo }: ReleaseConsole,
  channel: string,
  version: string,
): Promise<void> {
  await goTo('Overview')
  await page.evaluate((address) => {
    location.hash = address
  }, `#/releases/${EDITOR.ref}/${channel}/${version}`)
  await page.getByRole('heading', { level: 1, name: version }).waitFor()
}

/** Publishes a release as a build machine does, and opens its page. */
export async function publishAndOpen(
  opened: ReleaseConsole,
  channel: string,
  version: string,
  more: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  await publishByApi(opened, version, { channel, ...more })
  await openRelease(opened, channel, version)
}
