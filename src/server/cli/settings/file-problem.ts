import type { SettingName } from './table.ts'

/** What makes the configuration file unusable, with the facts for its fix. */
export type FileProblem =
  | { readonly kind: 'unreadable'; readonly reason: string }
  /** For want of a permission, on the file or on its folder. */
  | { readonly kind: 'denied'; readonly reason: string }
  | { readonly kind: 'not_a_file' }
  | { readonly kind: 'too_large'; readonly maxBytes: number }
  | { readonly kind: 'not_utf8' }
  | { readonly kind: 'not_json'; readonly place: string | undefined }
  | { readonly kind: 'too_deep'; readonly maxDepth: number }
  | { readonly kind: 'not_an_object' }
  | FieldProblem

/** What is wrong with one field. The value of a field that could be a secret is never in it. */
export type FieldProblem =
  | { readonly kind: 'repeated'; readonly field: string }
  | { readonly kind: 'unknown'; readonly field: string; readonly nearest: SettingName | undefined }
  | { readonly kind: 'secret'; readonly field: string; readonly file: SettingName | undefined }
  | { readonly kind: 'of_process'; readonly field: SettingName }
  | { readonly kind: 'data_folder'; readonly field: string }
  | {
      readonly kind: 'wrong'
      /** With the place in the field: `consoleHost.1`. */
      readonly field: string
      /** As JSON, shortened; undefined if it could be a secret. */
      readonly value: string | undefined
      readonly allowed: string
    }
