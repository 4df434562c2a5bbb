module.exports = require('@strapi/strapi').factories.createCoreService('api::category.category');
