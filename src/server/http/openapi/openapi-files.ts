import {
  FoundFileAnswer,
  HostedFileAnswer,
  HostedFilesAnswer,
  UploadsAnswer,
} from '../../../shared/files/hosted-file.ts'
import { KEYED, later, operations } from './openapi-operation.ts'

const FILES = '/api/v1/files'
const UPLOADS = '/api/v1/uploads'

const COMMON = {
  ...KEYED,
  404: 'Unknown file, or the server does not store files',
  503: later('The database cannot be written, or the bucket cannot be used, at the moment'),
} as const
/** Operations on stored files and unfinished uploads. What sends them follows the tus protocol, and is not described here. */
export const FILE_OPERATIONS = operations('Files', 'publish', COMMON, {
  listFiles: {
    on: `get ${FILES}`,
    scope: 'read',
    summary: 'List stored files, newest first',
    description: 'Returns every file on the server, so the key must not be restricted to an app.',
    answers: { 200: [HostedFilesAnswer, 'All files'] },
  },
  findFile: {
    on: `get ${FILES}/{sha512}`,
    summary: 'Find a stored file or an unfinished upload by its hash',
    description:
      'Call it before an upload: a file that is already stored need not be uploaded again, and is kept for at least another day. Otherwise returns the upload of the same caller, if there is one; if all of it has arrived, it is being copied to the bucket.',
    answers: { 200: [FoundFileAnswer, 'What is there'] },
  },
  deleteFile: {
    on: `delete ${FILES}/{sha512}`,
    summary: 'Delete a stored file',
    description:
      'Rejected while a release, a draft or a change request uses the file. The key must not be restricted to an app.',
    answers: {
      200: [HostedFileAnswer, 'The deleted file'],
      422: 'The file is used',
    },
  },
  listUploads: {
    on: `get ${UPLOADS}`,
    summary: 'List unfinished uploads',
    description:
      'Returns the uploads that the key has begun, the one without progress for longest first.',
    answers: { 200: [UploadsAnswer, 'Unfinished uploads'] },
  },
  deleteUpload: {
    on: `delete ${UPLOADS}/{id}`,
    summary: 'Delete an unfinished upload',
    description:
      'Deletes an upload that the key has begun, also while bytes arrive. Its space becomes free at once.',
    answers: {
      204: [null, 'The upload is deleted'],
      404: 'Unknown upload, or the server does not store files',
    },
  },
})
