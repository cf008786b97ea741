import type { Command } from 'commander'
import { Scope } from '../../shared/key.ts'
import { DisplayName } from '../../shared/names.ts'
import type { DataOptions } from './data-folder.ts'
import { addCommand, addReadCommand, type ReadOptions, several, valid } from './options.ts'
import { print, printJson, printTable } from './output.ts'

/** `key mint`, `key list`, `key revoke`. */
export function addKeyCommands(program: Command): void {
  const key = program.command('key').description('mint, list and revoke API keys')

  addCommand(key, 'mint', 'mint a key and print it, which happens only this once')
    .argument('<name>', 'what the key is for', valid(DisplayName))
    .option(
      '--scope <scope>',
      `${Scope.options.join(', ')}; repeatable (default: all)`,
      several(valid(Scope)),
    )
    .option('--app <app>', 'the one app that the key sees (default: all)')
    .action(mint)

  addReadCommand(key, 'list', 'list the keys').action(list)

  addCommand(key, 'revoke', 'revoke a key for good')
    .argument('<prefix>', 'the first 8 characters, as "key list" shows them')
    .action(revoke)
}

interface MintOptions extends DataOptions {
  readonly scope?: readonly Scope[]
  readonly app?: string
}

async function mint(name: string, options: MintOptions): Promise<void> {
  const { withCatalog, commandLinePrincipal } = await import('./session.ts')
  const { mintKey } = await import('../updates/manage-keys.ts')
  const { scope: scopes, app } = options
  const { secret } = await withCatalog(options, (catalog) =>
    mintKey({ catalog }, commandLinePrincipal(), { name, scopes, app }),
  )
  print(secret)
}

async function list(options: ReadOptions): Promise<void> {
  const { withCatalog } = await import('./session.ts')
  const { describeKey } = await import('../updates/manage-keys.ts')
  const keys = await withCatalog(options, async ({ snapshot }) =>
    snapshot.apiKeys.map((key) => describeKey(snapshot, key)),
  )
  if (options.json) {
    printJson({ keys })
    return
  }
  printTable(
    ['PREFIX', 'NAME', 'SCOPES', 'APP', 'CREATED', 'LAST USED', 'REVOKED'],
    keys.map((key) => [
      key.prefix,
      key.name,
      key.scopes.join(', '),
      key.app ?? 'all',
      key.createdAt,
      key.lastUsedAt,
      key.revokedAt,
    ]),
    'There are no keys yet. Mint one with "key mint".',
  )
}

async function revoke(prefix: string, options: DataOptions): Promise<void> {
  const { withCatalog, commandLinePrincipal } = await import('./session.ts')
  const { revokeKey } = await import('../updates/manage-keys.ts')
  // Whoever gives the whole key means the key that starts like that.
  const start = prefix.slice(0, 8)
  const { name, revokedAt } = await withCatalog(options, (catalog) =>
    revokeKey({ catalog }, commandLinePrincipal(), start),
  )
  print(`Revoked the key ${start} (${name}) at ${revokedAt}.`)
}
