import { HostedFileAnswer, HostedFilesAnswer } from '../../../shared/hosted-file.ts'

export const FilesDocument = HostedFilesAnswer
export const DeletedFileDocument = HostedFileAnswer
