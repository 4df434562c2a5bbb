// Those of a new project, but for the line that is logged for each request.
module.exports = [
  'strapi::errors', 'strapi::security', 'strapi::cors', 'strapi::poweredBy', 'strapi::query', 'strapi::body',
  'strapi::session', 'strapi::favicon', 'strapi::public',
];
