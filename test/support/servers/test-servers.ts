import { ServerList } from '../../../src/main/servers/server-list.ts'
import { Servers, type ServersParts } from '../../../src/main/servers/servers.ts'
import { Sessions } from '../../../src/main/servers/sessions.ts'
import type { Vault } from '../../../src/main/servers/vault.ts'

/** Encrypts as a system does: nothing of the text can be read in the result. */
export const testVault: Vault = {
  isAvailable: async () => true,
  encrypt: async (text) => Buffer.from(text).reverse().toString('base64'),
  decrypt: async (encrypted) => Buffer.from(encrypted, 'base64').reverse().toString(),
}

type Options = Partial<Pick<ServersParts, 'own' | 'reloadPage' | 'log'>> & {
  readonly file: string
  readonly vault?: Vault
}

/** The servers of a desktop app without Electron, in a file; its own server stays in `starting`. */
export function testServers({ file, vault = testVault, ...parts }: Options) {
  const list = new ServerList(file)
  const sessions = new Sessions(list, vault)
  const servers = new Servers({
    list,
    sessions,
    own: { state: () => ({ state: 'starting' }), retry() {} },
    reloadPage() {},
    log() {},
    ...parts,
  })
  return { servers, list, sessions, file }
}
