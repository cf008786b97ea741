/** The errors that the console shows for failures of the server. */
export const text = {
  unavailable: 'The database cannot be written right now. Try again in a few seconds.',
  previewsBusy: 'Too many previews are being calculated. Try again in a few seconds.',
  internal: 'Internal server error. The cause is in the server log.',
} as const
