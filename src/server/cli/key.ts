import type { Command } from 'commander'
import { Scope } from '../../shared/key.ts'
import { DisplayName } from '../../shared/names.ts'
import type { DataOptions } from './data-folder.ts'
import { addCommand, addReadCommand, type ReadOptions, several, valid } from './options.ts'
import { print, printJson, printTable } from './output.ts'
import { text } from './strings/catalog.ts'

const words = text.key

/** `key mint`, `key list`, `key revoke`. */
export function addKeyCommands(program: Command): void {
  const key = program.command('key').description(words.description)

  addCommand(key, 'mint', words.mint)
    .argument('<name>', words.name, valid(DisplayName))
    .option('--scope <scope>', words.scope(Scope.options), several(valid(Scope)))
    .option('--app <app>', words.app)
    .option('--bypass-approval', words.bypassApproval)
    .action(mint)

  addReadCommand(key, 'list', words.list).action(list)

  addCommand(key, 'revoke', words.revoke).argument('<prefix>', words.prefix).action(revoke)
}

interface MintOptions extends DataOptions {
  readonly scope?: readonly Scope[]
  readonly app?: string
  readonly bypassApproval?: true
}

async function mint(name: string, options: MintOptions): Promise<void> {
  const { withCatalog, commandLinePrincipal } = await import('./session.ts')
  const { mintKey } = await import('../updates/manage-keys.ts')
  const { scope: scopes, app, bypassApproval } = options
  const { secret } = await withCatalog(options, (catalog) =>
    mintKey({ catalog }, commandLinePrincipal(), { name, scopes, app, bypassApproval }),
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
    words.headings,
    keys.map((key) => [
      key.prefix,
      key.name,
      key.scopes.join(', '),
      key.app ?? words.allApps,
      words.bypasses(key.bypassApproval),
      key.createdAt,
      key.lastUsedAt,
      key.revokedAt,
    ]),
    words.empty,
  )
}

async function revoke(prefix: string, options: DataOptions): Promise<void> {
  const { withCatalog, commandLinePrincipal } = await import('./session.ts')
  const { revokeKey } = await import('../updates/manage-keys.ts')
  // A complete key is accepted too.
  const start = prefix.slice(0, 8)
  const { name, revokedAt } = await withCatalog(options, (catalog) =>
    revokeKey({ catalog }, commandLinePrincipal(), start),
  )
  print(words.revoked(start, name, revokedAt))
}
