import { MIN_PASSWORD_LENGTH } from '../../../shared/console/people/account.ts'

export const text = {
  product: 'Tidegate',
  notReached: 'The console could not be loaded',
  signIn: 'Sign in',
  name: 'Name',
  password: 'Password',
  signInAction: 'Sign in',
  or: 'or',
  passkey: 'Sign in with a passkey',
  /** While attempts under a name have to wait, because of others who try. The same for every name. */
  waitHint: (hasPasskeys: boolean, provider: string | null) => {
    const ways = [
      ...(hasPasskeys ? ['a passkey'] : []),
      ...(provider === null ? [] : [provider]),
      ...['a browser that you have used before', 'a link from an administrator'],
    ]
    const list = new Intl.ListFormat('en', { type: 'disjunction' }).format(ways)
    return `To sign in without waiting, use ${list}.`
  },
  singleSignOn: (provider: string) => `Sign in with ${provider}`,
  notSignedIn: 'You are not signed in',
  forgotten: 'Forgot your password? An administrator can send you a link to set a new one.',
  ended: 'Your session has ended. Sign in again.',

  setUp: 'Set up Tidegate',
  setUpHint: 'Create the first account. It is an administrator.',
  setUpAction: 'Create account',
  notSetUp: 'Tidegate is not set up yet',
  notSetUpHint:
    'Open the link that the server printed when it started. It is valid for 15 minutes; “person setup-link” on the command line prints a new one.',

  newBrowser: 'New browser on this computer',
  newBrowserHint:
    'This console is for its own computer only. Open the link that the server printed in its terminal, or enter the code at its end. “person console-code” on the command line prints it again.',
  consoleCode: 'Code',
  codeNotAccepted: 'The code was not accepted',
  continue: 'Continue',

  invitation: (name: string) => `Welcome, ${name}`,
  invitationHint: 'Choose a password to finish setting up your account.',
  reset: (name: string) => `New password for ${name}`,
  resetHint: 'All your sessions end when you save it.',
  savePassword: 'Save password',
  notSaved: 'The password could not be saved',
  newPassword: 'New password',
  passwordHint: `At least ${MIN_PASSWORD_LENGTH} characters. Several words that do not belong together are easy to remember.`,
  invalidLink: 'This link is no longer valid',
  invalidLinkHint: 'It was used or has expired. Ask for a new one.',
  toSignIn: 'Go to sign-in',

  secondFactor: 'Two-factor authentication',
  code: 'Code from your authenticator app',
  recoveryCode: 'Recovery code',
  useRecoveryCode: 'Use a recovery code',
  useApp: 'Use your authenticator app',
  confirm: 'Confirm',
  startAgain: 'Start again',

  confirmIdentity: {
    title: 'Confirm your identity',
    hint: 'Confirm that it is you to continue. Your confirmation is valid for 10 minutes.',
    password: 'Your password',
    wrongPassword: 'Incorrect password',
    usePassword: 'Use your password',
    passkey: 'Confirm with a passkey',
    provider: 'Sign in again with single sign-on',
    waiting: 'Sign in in the tab that has opened. This page continues by itself.',
    noTab: 'The browser did not open a tab. Allow pop-ups for this page and try again.',
    notHere: 'Your account can confirm only in a browser, under the host name of the console.',
    failed: 'Your identity was not confirmed',
  },
} as const
