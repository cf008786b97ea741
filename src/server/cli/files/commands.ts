import type { Command } from 'commander'
import { z } from 'zod'
import {
  HostedFileAnswer,
  HostedFileId,
  HostedFilesAnswer,
  UploadId,
  UploadsAnswer,
} from '../../../shared/files/hosted-file.ts'
import { addServerCommand, type CommandOptions } from '../command/options.ts'
import { print, printAnswer, printTable } from '../command/output.ts'
import { valid } from '../command/valid.ts'
import { fileText as text } from '../strings/publish.ts'
import type { FileClient } from './file-client.ts'

const DeletedUpload = z.strictObject({ id: UploadId }).meta({ id: 'DeletedUpload' })

/** `file list`, `file delete`, `file uploads`, `file cancel`. */
export function addFileCommands(program: Command): void {
  const file = program.command('file').description(text.description)

  addServerCommand(file, 'list', text.list, HostedFilesAnswer).action(list)

  addServerCommand(file, 'delete', text.delete, HostedFileAnswer)
    .argument('<sha512>', text.sha512, valid(HostedFileId))
    .action(remove)

  addServerCommand(file, 'uploads', text.uploads, UploadsAnswer).action(listUploads)

  addServerCommand(file, 'cancel', text.cancel, DeletedUpload)
    .argument('<id>', text.uploadId, valid(UploadId))
    .action(cancel)
}

/** Does `work` on the stored files. What reaches them is loaded only now: the help does without. */
async function onFiles<T>(options: CommandOptions, work: (files: FileClient) => Promise<T>) {
  const { withFiles } = await import('./with-files.ts')
  return await withFiles(options, work)
}

async function list(options: CommandOptions): Promise<void> {
  const answer = await onFiles(options, (client) => client.list())
  const { files, bytes, patchBytes, quotaBytes } = answer
  const rows = files.map(({ name, size, uses, storedAt, sha512 }) => {
    return [name, text.size(size), text.uses(uses), storedAt, sha512]
  })
  printAnswer(options, HostedFilesAnswer, answer, () => {
    printTable(text.headings, rows, text.none)
    print(text.total(files.length, bytes, quotaBytes))
    if (patchBytes > 0) print(text.patches(patchBytes))
  })
}

async function remove(sha512: string, options: CommandOptions): Promise<void> {
  const file = await onFiles(options, (files) => files.remove(sha512))
  printAnswer(options, HostedFileAnswer, { file }, text.deleted(file.name, file.size))
}

async function listUploads(options: CommandOptions): Promise<void> {
  const answer = await onFiles(options, (files) => files.listUploads())
  const rows = answer.uploads.map(({ id, name, offset, size, by, progressAt }) => [
    ...[name, text.arrived(offset, size), by ?? '', progressAt, id],
  ])
  printAnswer(options, UploadsAnswer, answer, () =>
    printTable(text.uploadHeadings, rows, text.noUploads),
  )
}

async function cancel(id: string, options: CommandOptions): Promise<void> {
  await onFiles(options, (files) => files.removeUpload(id))
  printAnswer(options, DeletedUpload, { id }, text.canceled(id))
}
