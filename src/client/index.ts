export {
  type CheckOptions,
  createUpdateClient,
  type OutcomeReport,
  type UpdateClient,
  type UpdateClientOptions,
} from './client.ts'
export type { Downloaded, DownloadOptions } from './download.ts'
export type { Update } from './update.ts'
export { CheckError, type CheckProblem } from './update.ts'
