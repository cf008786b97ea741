/** The console's page has an origin of its own, which no web server can have. */
export const SCHEME = 'app'
export const ORIGIN = `${SCHEME}://console`
export const START_PAGE = `${ORIGIN}/index.html`
