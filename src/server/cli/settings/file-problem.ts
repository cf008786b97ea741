import type { Coded } from '../../../shared/coded.ts'

/** What makes the configuration file unusable, with the facts for its fix. */
export type FileProblem =
  | Coded<{
      unreadable: { reason: string }
      /** For want of a permission, on the file or on its folder. */
      denied: { reason: string }
      not_a_file: object
      too_large: { maxBytes: number }
      not_utf8: object
      not_json: { place: string | undefined }
      too_deep: { maxDepth: number }
      not_an_object: object
    }>
  | FieldProblem

/** What is wrong with one field. The value of a field that could be a secret is never in it. */
export type FieldProblem = Coded<{
  repeated: { field: string }
  /** `nearest`: a setting with such a name. */
  unknown: { field: string; nearest: string | undefined }
  /** `file`: the setting for the file that has it. */
  secret: { field: string; file: string | undefined }
  of_process: { field: string; option: string; variable: string }
  data_folder: { field: string }
  /** `field`: with the place in it, as `consoleHost.1`; `value`: as JSON, shortened, undefined if it could be a secret. */
  wrong: { field: string; value: string | undefined; allowed: string }
}>
