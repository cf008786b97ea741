import { hash } from 'node:crypto'
import { guessTarget } from '../shared/artifacts/guess.ts'
import type { Artifact } from '../shared/releases/release.ts'
import { Random } from './random.ts'
import { type AppStory, releasesOf } from './story/story.ts'
import { APPS } from './story/studio.ts'

const SMALLEST = 24_000
const LARGEST = 96_000

/** The files of the studio's releases: path below the download server's address, and content. */
export function allFiles(): Map<string, () => Buffer> {
  return new Map(
    APPS.flatMap((app) =>
      releasesOf(app).flatMap(({ version }) =>
        app.files.map(([, , ending]) => {
          const path = pathOf(app, version, ending)
          return [path, () => contentOf(path)] as const
        }),
      ),
    ),
  )
}

/** The artifacts of a release as it is published, with the true checksum and size of each file. */
export function artifactsOf(app: AppStory, version: string, downloads: string): Artifact[] {
  return app.files.map(([platform, arch, ending]) => {
    const path = pathOf(app, version, ending)
    const content = contentOf(path)
    return {
      platform,
      arch,
      kind: guessTarget(path).kind,
      url: downloads + path,
      sha512: hash('sha512', content, 'base64'),
      size: content.length,
      signature: '',
    }
  })
}

function pathOf(app: AppStory, version: string, ending: string): string {
  return `/${app.ref}/${version}/${app.ref}-${version}-${ending}`
}

/** Returns the content of a file; derived from its path, so that no file is kept. */
function contentOf(path: string): Buffer {
  const digest = hash('sha512', path, 'buffer')
  const size = Math.floor(new Random(digest.readInt32LE()).between(SMALLEST, LARGEST))
  return Buffer.alloc(size, digest)
}
