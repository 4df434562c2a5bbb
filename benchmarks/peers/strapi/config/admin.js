// Nobody looks at the administration here; its build is left out.
module.exports = () => ({
  auth: { secret: 'of a benchmark' },
  apiToken: { salt: 'of a benchmark' },
  transfer: { token: { salt: 'of a benchmark' } },
  serveAdminPanel: false,
});
