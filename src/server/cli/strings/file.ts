import { formatCount, formatCounted, formatSize } from '../../../shared/wording/format.ts'

/** Texts of `file`. */
export const text = {
  description: 'Manage the built files that the server stores',
  list: 'List stored files and the space that they take',
  delete: 'Delete a stored file that is not used',
  uploads: 'List unfinished uploads and how much of each has arrived',
  cancel: 'Delete an unfinished upload',
  uploadId: 'ID of the upload, as in `file uploads`',
  sha512: 'SHA-512 of the file, or its first 32 digits as in its address',

  headings: ['NAME', 'SIZE', 'USES', 'STORED', 'SHA-512'],
  none: 'No stored files',
  uploadHeadings: ['NAME', 'ARRIVED', 'UPLOADED BY', 'LAST PROGRESS', 'ID'],
  noUploads: 'No unfinished uploads',
  arrived: (offset: number, size: number) => `${formatSize(offset)} of ${formatSize(size)}`,
  canceled: (id: string) => `Deleted upload ${id}.`,
  size: formatSize,
  uses: formatCount,
  total: (files: number, bytes: number, quotaBytes: number | null) => {
    const used = `${formatCounted(files, 'file')}, ${formatSize(bytes)}`
    return quotaBytes === null ? used : `${used} of ${formatSize(quotaBytes)}`
  },
  patches: (bytes: number) => `Patches between files: ${formatSize(bytes)}, besides the quota`,
  deleted: (name: string, bytes: number) => `Deleted ${name} (${formatSize(bytes)}).`,
} as const
