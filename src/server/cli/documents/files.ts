import { z } from 'zod'
import {
  HostedFileAnswer,
  HostedFilesAnswer,
  UploadId,
  UploadsAnswer,
} from '../../../shared/hosted-file.ts'

export const FilesDocument = HostedFilesAnswer
export const DeletedFileDocument = HostedFileAnswer
export const UploadsDocument = UploadsAnswer
export const DeletedUploadDocument = z.strictObject({ id: UploadId }).meta({ id: 'DeletedUpload' })
