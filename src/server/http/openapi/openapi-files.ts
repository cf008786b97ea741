import {
  FoundFileAnswer,
  HostedFileAnswer,
  HostedFilesAnswer,
  UploadsAnswer,
} from '../../../shared/hosted-file.ts'
import { FilePath, UploadPath } from '../files/stored-files.ts'
import { answer, error, KEYED, type Operation, parametersOf } from './openapi-operation.ts'

const FILES = '/api/v1/files'
const UPLOADS = '/api/v1/uploads'

const LATER = {
  503: error('The database cannot be written, or the bucket cannot be used, at the moment', {
    'Retry-After': 'Seconds to wait',
  }),
} as const

const OFF = { 404: error('Unknown file, or the server does not store files') } as const

/** Operations on stored files and unfinished uploads. What sends them follows the tus protocol, and is not described here. */
export const FILE_OPERATIONS: readonly Operation[] = [
  {
    ...{ method: 'get', path: FILES, id: 'listFiles', scope: 'read', tag: 'Files' },
    summary: 'List stored files, newest first',
    description: 'Returns every file on the server, so the key must not be restricted to an app.',
    answers: { 200: answer(HostedFilesAnswer, 'All files'), ...KEYED, ...OFF, ...LATER },
  },
  {
    ...{ method: 'get', path: `${FILES}/{sha512}`, id: 'findFile', scope: 'publish', tag: 'Files' },
    summary: 'Find a stored file or an unfinished upload by its hash',
    description:
      'Call it before an upload: a file that is already stored need not be uploaded again, and is kept for at least another day. Otherwise returns the upload of the same caller, if there is one; if all of it has arrived, it is being copied to the bucket.',
    parameters: parametersOf(FilePath, 'path'),
    answers: { 200: answer(FoundFileAnswer, 'What is there'), ...KEYED, ...OFF, ...LATER },
  },
  {
    ...{ method: 'delete', path: `${FILES}/{sha512}`, id: 'deleteFile', scope: 'publish' },
    ...{ tag: 'Files' },
    summary: 'Delete a stored file',
    description:
      'Rejected while a release, a draft or a change request uses the file. The key must not be restricted to an app.',
    parameters: parametersOf(FilePath, 'path'),
    answers: {
      200: answer(HostedFileAnswer, 'The deleted file'),
      ...KEYED,
      ...OFF,
      422: error('The file is used'),
      ...LATER,
    },
  },
  {
    ...{ method: 'get', path: UPLOADS, id: 'listUploads', scope: 'publish', tag: 'Files' },
    summary: 'List unfinished uploads',
    description:
      'Returns the uploads that the key has begun, the one without progress for longest first.',
    answers: { 200: answer(UploadsAnswer, 'Unfinished uploads'), ...KEYED, ...OFF, ...LATER },
  },
  {
    ...{ method: 'delete', path: `${UPLOADS}/{id}`, id: 'deleteUpload', scope: 'publish' },
    ...{ tag: 'Files' },
    summary: 'Delete an unfinished upload',
    description:
      'Deletes an upload that the key has begun, also while bytes arrive. Its space becomes free at once.',
    parameters: parametersOf(UploadPath, 'path'),
    answers: {
      204: { description: 'The upload is deleted', schema: null },
      ...KEYED,
      404: error('Unknown upload, or the server does not store files'),
      ...LATER,
    },
  },
]
