import { parse } from 'yaml'
import type { TestServer } from '../servers/server.ts'
import { itemFor } from './appcast.ts'

const ELECTRON_NAMES: Readonly<Record<string, (arch: string) => string>> = {
  windows: () => 'latest.yml',
  darwin: () => 'latest-mac.yml',
  linux: (arch) => (arch === 'x86_64' ? 'latest-linux.yml' : `latest-linux-${arch}.yml`),
}

/** How the feed of each client is asked by an app of `editor/stable` that runs 1.0.0, and the addresses in it. */
const FEEDS: Readonly<
  Record<string, (server: TestServer, platform: string, arch: string) => Promise<string[]>>
> = {
  async electron_updater(server, platform, arch) {
    const name = ELECTRON_NAMES[platform]?.(arch)
    const { status, text } = await get(server, `/electron/editor/stable/${name}?arch=${arch}`)
    return status === 404 ? [] : parse(text).files.map(({ url }: { url: string }) => url)
  },
  async squirrel_mac(server, platform, arch) {
    const { status, body } = await get(server, `/squirrel/editor/stable/${platform}/${arch}/1.0.0`)
    return status === 204 ? [] : [body.url]
  },
  async squirrel_windows(server, platform, arch) {
    const path = `/squirrel/editor/stable/${platform}/${arch}/1.0.0/RELEASES`
    const { status, text } = await get(server, path)
    return status === 404 ? [] : [text.split(' ')[1] ?? '']
  },
  async sparkle(server, _, arch) {
    const item = await itemFor(server, `?version=1.0.0&arch=${arch}`)
    return item === null ? [] : [item.url ?? '']
  },
  async velopack(server, platform, arch) {
    const path = `/velopack/editor/stable/${platform}/${arch}`
    const { body } = await get(server, `${path}/releases.any.json?localVersion=1.0.0`)
    const names = body.Assets.map(({ FileName }: { FileName: string }) => FileName)
    return await Promise.all(
      names.map(async (name: string) => {
        const { headers } = await get(server, `${path}/${name}`)
        return headers.get('location') ?? ''
      }),
    )
  },
}

/** Returns the names of the files that the feed of a client lists; undefined for a client without a feed. */
export async function namesInFeed(
  server: TestServer,
  client: string,
  platform: string,
  arch: string,
): Promise<string[] | undefined> {
  const urls = await FEEDS[client]?.(server, platform, arch)
  return urls?.map((url) => new URL(url).pathname.slice(1))
}

function get(server: TestServer, path: string) {
  return server.call('GET', path, { key: null })
}
