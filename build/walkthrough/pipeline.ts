import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CommandLine } from './command-line.ts'
import { expectOffer } from './device.ts'
import type { FileStore } from './file-store.ts'
import type { Secrets } from './it-person.ts'

const BUILT = 'dist/editor_2.0.0.AppImage'
const UPLOADED = '/2.0.0/editor_2.0.0.AppImage'
const SIGNATURE = Buffer.from('untrusted comment: signature\nRWQ=\n').toString('base64')
const CHANGELOG = '# Changelog\n\n## [2.0.0] - 2026-11-02\n\n- Dark mode\n\n## [1.0.0]\n\n- First\n'

/** Builds, uploads and publishes 2.0.0 for a tenth of the devices; only once the upload is what was built. */
export async function publishFirst(pipeline: CommandLine, store: FileStore): Promise<void> {
  const built = randomBytes(200_000)
  mkdirSync(join(pipeline.folder, 'dist'))
  writeFileSync(join(pipeline.folder, BUILT), built)
  writeFileSync(join(pipeline.folder, `${BUILT}.sig`), SIGNATURE)
  writeFileSync(join(pipeline.folder, 'CHANGELOG.md'), CHANGELOG)

  const files = `--file linux/x86_64=${BUILT} --url-base ${store.urlOf('/2.0.0/')}`
  const publish = `publish editor stable 2.0.0 ${files} --verify-urls --notes CHANGELOG.md#2.0.0 --rollout 10`
  await pipeline.ends(1, publish, /status 404/)
  store.upload(UPLOADED, randomBytes(200_000))
  await pipeline.ends(1, publish, /nothing was published/, /another SHA-512/)
  store.upload(UPLOADED, built)
  await pipeline.succeeds(publish, /Verified http/)
  await pipeline.ends(3, publish, /exists/)
  await pipeline.succeeds(`${publish} --if-exists same-ok`, /Nothing was changed/)
  const { stdout } = await pipeline.succeeds('release list editor --channel stable --json')
  if (!stdout.includes('Dark mode')) throw new Error(`the notes are missing: ${stdout}`)
}

/** Offers it to all devices, and waits until one has installed it. */
export async function rollOut(
  pipeline: CommandLine,
  server: string,
  store: FileStore,
): Promise<void> {
  // Only a full rollout reaches a device without an ID.
  await expectOffer(server, 'stable', '1.0.0', null)
  await pipeline.succeeds('ramp editor stable 2.0.0 100%')
  await expectOffer(server, 'stable', '1.0.0', '2.0.0')
  const offer = await expectOffer(server, 'stable', '1.0.0', '2.0.0', 'laptop')
  if (offer?.url !== store.urlOf(UPLOADED)) throw new Error(`the offer has the URL ${offer?.url}`)
  if (offer.signature !== SIGNATURE) throw new Error(`the offer has ${offer.signature}`)
  const downloaded = Buffer.from(await (await fetch(offer.url)).arrayBuffer())
  const built = readFileSync(join(pipeline.folder, BUILT))
  if (!downloaded.equals(built)) throw new Error('a device downloads something else')

  await pipeline.ends(1, 'wait editor stable 2.0.0 --adopted 100% --every 1s --timeout 1s')
  const wait = pipeline.start('wait editor stable 2.0.0 --adopted 100% --every 1s --timeout 1m')
  await wait.shows(/on 0 of 1 device/)
  await expectOffer(server, 'stable', '2.0.0', null, 'laptop')
  await wait.ends(0, /on 1 of 1 device/)
}

/** Pauses the release and continues it, promotes it to the other channel, and takes it back on the first. */
export async function withdraw(pipeline: CommandLine, server: string): Promise<void> {
  await pipeline.succeeds('pause editor stable 2.0.0')
  await expectOffer(server, 'stable', '1.0.0', null)
  await pipeline.ends(3, 'wait editor stable 2.0.0 --adopted 100%', /was paused/)
  await pipeline.ends(3, 'promote editor stable 2.0.0 --to beta', /is paused/)
  await pipeline.succeeds('resume editor stable 2.0.0')
  await expectOffer(server, 'stable', '1.0.0', '2.0.0')

  await expectOffer(server, 'beta', '1.0.0', null)
  await pipeline.succeeds('promote editor stable 2.0.0 --to beta')
  await expectOffer(server, 'beta', '1.0.0', '2.0.0')

  await pipeline.succeeds('rollback editor stable 2.0.0')
  await expectOffer(server, 'stable', '1.0.0', null)
  await expectOffer(server, 'beta', '1.0.0', '2.0.0')
  await pipeline.ends(3, 'resume editor stable 2.0.0')
  await pipeline.ends(3, 'ramp editor stable 2.0.0 50%')
}

/** Does what a pipeline gets wrong. Each kind of mistake has its exit code, and changes nothing. */
export async function showWrongUses(pipeline: CommandLine, keys: Secrets): Promise<void> {
  const before = await pipeline.succeeds('release list editor --json')
  const publish = `publish editor stable 3.0.0 --file linux/x86_64=${BUILT}`
  const hosted = `${publish} --url-base https://downloads.example.com/`

  await pipeline.ends(2, publish, /--url-base/)
  await pipeline.ends(2, `${hosted} --rollout 101`, /0 to 100/)
  await pipeline.ends(2, `${hosted} --role-out 10`, /unknown option/)
  await pipeline.ends(2, `${hosted} --notes CHANGELOG.md#3.0.0`, /no section/)
  await pipeline.ends(2, 'promote editor stable 2.0.0 --to stable', /another channel/)
  await pipeline.ends(2, 'wait editor stable 2.0.0 --adopted 0%')

  await pipeline.ends(3, hosted.replace('stable', 'nightly'), /nightly/)
  await pipeline.ends(3, 'ramp editor stable 9.9.9 50%', /9\.9\.9/)

  const nowhere = pipeline.with({ TIDEGATE_SERVER: 'http://127.0.0.1:1' })
  await nowhere.ends(4, hosted)

  await pipeline.with({ TIDEGATE_KEY: keys.reader }).ends(5, hosted, /scope/)
  await pipeline.with({ TIDEGATE_KEY: keys.former }).ends(5, hosted, /key/)
  await pipeline.with({ TIDEGATE_KEY: '' }).ends(5, hosted)

  const failed = await pipeline.ends(3, 'pause editor stable 9.9.9 --json')
  if (JSON.parse(failed.stderr).error.exitCode !== 3) throw new Error(`wrong: ${failed.stderr}`)
  const after = await pipeline.succeeds('release list editor --json')
  if (after.stdout !== before.stdout) throw new Error(`releases changed: ${after.stdout}`)
}
