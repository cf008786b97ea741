// An app with the SDK of Sentry in its main process: arguments are the DSN, and how it ends.
const { app } = require('electron')
const Sentry = require('@sentry/electron/main')
const { makeNodeTransport } = require('@sentry/node')

const [dsn, end] = process.argv.slice(-2)
app.setPath('userData', process.env.SENTRY_USER_DATA)
Sentry.init({
  dsn,
  release: 'editor@1.2.3',
  // The double has neither `net.request` nor what the other integrations need, such as the crash reporter.
  transport: makeNodeTransport,
  defaultIntegrations: false,
  integrations: [
    Sentry.mainProcessSessionIntegration({ sendOnCreate: true }),
    Sentry.onUncaughtExceptionIntegration(),
  ],
})
app.whenReady().then(() => {
  if (end === 'quit') app.quit()
  else
    setTimeout(() => {
      throw new Error('unhandled')
    }, 1)
})
