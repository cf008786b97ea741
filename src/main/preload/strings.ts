/** The errors that the page shows for requests that got no response. */
export const text = {
  notSent: 'The request could not be sent.',
  notRunning: 'The server is not running.',
  stopped: 'The server stopped before it responded.',
} as const
