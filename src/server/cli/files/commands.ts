import type { Command } from 'commander'
import { HostedFileId } from '../../../shared/hosted-file.ts'
import { DeletedFileDocument, FilesDocument } from '../documents/files.ts'
import { addServerCommand, type CommandOptions, valid } from '../options.ts'
import { print, printJson, printTable } from '../output.ts'
import { EXAMPLES } from '../strings/examples.ts'
import { text } from '../strings/file.ts'

/** `file list`, `file delete`. */
export function addFileCommands(program: Command): void {
  const file = program.command('file').description(text.description)

  addServerCommand(file, 'list', {
    description: text.list,
    examples: EXAMPLES.file.list,
    document: FilesDocument,
  }).action(list)

  addServerCommand(file, 'delete', {
    description: text.delete,
    examples: EXAMPLES.file.delete,
    document: DeletedFileDocument,
  })
    .argument('<sha512>', text.sha512, valid(HostedFileId))
    .action(remove)
}

async function list(options: CommandOptions): Promise<void> {
  const { withFiles } = await import('./with-files.ts')
  const answer = await withFiles(options, (files) => files.list())
  if (options.json) {
    printJson(FilesDocument, answer)
    return
  }
  const { files, bytes, quotaBytes } = answer
  printTable(
    text.headings,
    files.map(({ name, size, uses, storedAt, sha512 }) => [
      name,
      text.size(size),
      text.uses(uses),
      storedAt,
      sha512,
    ]),
    text.none,
  )
  print(text.total(files.length, bytes, quotaBytes))
}

async function remove(sha512: string, options: CommandOptions): Promise<void> {
  const { withFiles } = await import('./with-files.ts')
  const file = await withFiles(options, (files) => files.remove(sha512))
  if (options.json) printJson(DeletedFileDocument, { file })
  else print(text.deleted(file.name, file.size))
}
