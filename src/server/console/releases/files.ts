import { z } from 'zod'
import { UploadPiece, UploadProgress } from '../../../shared/console/uploads.ts'
import {
  FoundFileAnswer,
  HostedFile,
  HostedFileHash,
  HostedFilesAnswer,
  OpenUpload,
  UploadId,
  UploadsAnswer,
} from '../../../shared/files/hosted-file.ts'
import { NewUpload } from '../../hosting/uploads/uploads.ts'
import { byUseCase, procedure, router } from '../trpc.ts'

const Named = z.strictObject({ sha512: HostedFileHash })

/** The files that the server stores. Browsers upload by routes of their own: see `web-console/files.ts`. */
export const fileRoutes = router({
  /** Whether the server stores files: every role may know. */
  stored: procedure.output(z.boolean()).query(({ ctx }) => ctx.storesFiles),

  list: procedure.output(HostedFilesAnswer).query(byUseCase('listFiles')),

  uploads: procedure.output(UploadsAnswer).query(byUseCase('listUploads')),

  removeUpload: procedure
    .input(z.strictObject({ id: UploadId }))
    .mutation(byUseCase('deleteUpload')),

  /** What is there of a file that is to be uploaded. */
  find: procedure.input(Named).output(FoundFileAnswer).mutation(byUseCase('findFile')),

  /** Begins an upload of which there is nothing yet. */
  begin: procedure.input(NewUpload).output(OpenUpload).mutation(byUseCase('beginUpload')),

  append: procedure
    .input(UploadPiece)
    .output(UploadProgress)
    .mutation(({ ctx: { updates, principal }, input: { content, ...place } }) =>
      updates.appendPiece(principal, place, only(content)),
    ),

  remove: procedure.input(Named).output(HostedFile).mutation(byUseCase('deleteFile')),
})

async function* only(content: Uint8Array): AsyncGenerator<Uint8Array> {
  yield content
}
