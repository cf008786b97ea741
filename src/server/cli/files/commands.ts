import type { Command } from 'commander'
import { HostedFileId, UploadId } from '../../../shared/hosted-file.ts'
import {
  DeletedFileDocument,
  DeletedUploadDocument,
  FilesDocument,
  UploadsDocument,
} from '../documents/files.ts'
import { addServerCommand, type CommandOptions, valid } from '../options.ts'
import { print, printJson, printTable } from '../output.ts'
import { text } from '../strings/file.ts'

/** `file list`, `file delete`, `file uploads`, `file cancel`. */
export function addFileCommands(program: Command): void {
  const file = program.command('file').description(text.description)

  addServerCommand(file, 'list', text.list, FilesDocument).action(list)

  addServerCommand(file, 'delete', text.delete, DeletedFileDocument)
    .argument('<sha512>', text.sha512, valid(HostedFileId))
    .action(remove)

  addServerCommand(file, 'uploads', text.uploads, UploadsDocument).action(listUploads)

  addServerCommand(file, 'cancel', text.cancel, DeletedUploadDocument)
    .argument('<id>', text.uploadId, valid(UploadId))
    .action(cancel)
}

async function list(options: CommandOptions): Promise<void> {
  const { withFiles } = await import('./with-files.ts')
  const answer = await withFiles(options, (files) => files.list())
  if (options.json) {
    printJson(FilesDocument, answer)
    return
  }
  const { files, bytes, patchBytes, quotaBytes } = answer
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
  if (patchBytes > 0) print(text.patches(patchBytes))
}

async function remove(sha512: string, options: CommandOptions): Promise<void> {
  const { withFiles } = await import('./with-files.ts')
  const file = await withFiles(options, (files) => files.remove(sha512))
  if (options.json) printJson(DeletedFileDocument, { file })
  else print(text.deleted(file.name, file.size))
}

async function listUploads(options: CommandOptions): Promise<void> {
  const { withFiles } = await import('./with-files.ts')
  const answer = await withFiles(options, (files) => files.listUploads())
  if (options.json) {
    printJson(UploadsDocument, answer)
    return
  }
  const rows = answer.uploads.map(({ id, name, offset, size, by, progressAt }) => [
    ...[name, text.arrived(offset, size), by ?? '', progressAt, id],
  ])
  printTable(text.uploadHeadings, rows, text.noUploads)
}

async function cancel(id: string, options: CommandOptions): Promise<void> {
  const { withFiles } = await import('./with-files.ts')
  await withFiles(options, (files) => files.removeUpload(id))
  if (options.json) printJson(DeletedUploadDocument, { id })
  else print(text.canceled(id))
}
